import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type ExportPart, exportParts } from '#domain/workspace/export'
import type { Json } from '#test/support/client'

/** An export in memory. A line that is a string is written as it is. */
export interface ExportFiles {
  readonly manifest: Json
  readonly lines: Record<ExportPart, Json[]>
}

export const linesOf = (at: string, part: ExportPart): Json[] =>
  readFileSync(join(at, `${part}.ndjson`), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

export const manifestOf = (at: string): Json =>
  JSON.parse(readFileSync(join(at, 'manifest.json'), 'utf8'))

export function readFiles(at: string): ExportFiles {
  const lines = exportParts.map((part) => [part, linesOf(at, part)])
  // The cast holds because every part is in it.
  return { manifest: manifestOf(at), lines: Object.fromEntries(lines) as ExportFiles['lines'] }
}

/** Writes a folder whose checksums and counts are right, as an author of a forged one would. */
export function writeFiles(at: string, { manifest, lines }: ExportFiles): string {
  mkdirSync(at)
  for (const part of exportParts) {
    const text = lines[part].map((line) => `${textOf(line)}\n`).join('')
    writeFileSync(join(at, `${part}.ndjson`), text)
    manifest.checksums[part] = createHash('sha256').update(text).digest('hex')
    manifest.counts[part] = lines[part].length
  }
  writeFileSync(join(at, 'manifest.json'), JSON.stringify(manifest))
  return at
}

const textOf = (line: Json) => (typeof line === 'string' ? line : JSON.stringify(line))
