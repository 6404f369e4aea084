import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { Failure } from '#domain/engine/failure'
import { exportParts, type ExportPart } from '#domain/workspace/export'
import type { ExportSource, Lines } from '#domain/workspace/import'

import { exportFormat, fileOf, linesOf, type Manifest, PartChecksums } from './export-folder.ts'

/** Opens an export, after the checksum of every file was compared with the manifest. */
export async function openExport(folder: string): Promise<ExportSource> {
  const manifest = await readManifest(folder)
  for (const part of exportParts) {
    if ((await checksumOf(fileOf(folder, part))) === manifest.checksums[part]) continue
    throw unusable(folder, `${part}.ndjson does not have the checksum of the manifest`)
  }
  const { workspace_id: workspaceId, checksums, ...exported } = manifest
  return {
    ...exported,
    workspaceId,
    batches: (part) => readBatches(fileOf(folder, part)),
    comparison: () => compareWith(checksums),
  }
}

const unusable = (folder: string, reason: string, cause?: unknown) =>
  new Failure('unavailable', `Cannot import from ${folder}: ${reason}.`, { cause })

async function readManifest(folder: string): Promise<Manifest> {
  let manifest: Manifest
  try {
    // The cast holds because the format is compared below, and the files by their checksums.
    manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
  } catch (cause) {
    throw unusable(folder, 'it has no readable manifest.json, so it is incomplete', cause)
  }
  if (manifest.format === exportFormat) return manifest
  const reason = `its format is ${manifest.format}, and this release reads ${exportFormat}`
  throw unusable(folder, reason)
}

async function checksumOf(path: string): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    for await (const bytes of createReadStream(path)) hash.update(bytes)
  } catch {
    return null
  }
  return hash.digest('hex')
}

const batchLines = 500

async function* readBatches<P extends ExportPart>(path: string): AsyncGenerator<Lines[P][]> {
  let batch: Lines[P][] = []
  for await (const line of readLines(path)) {
    // The cast holds because the checksum is that of an export.
    batch.push(JSON.parse(line) as Lines[P])
    if (batch.length < batchLines) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Not node:readline, which also ends lines at U+2028. */
async function* readLines(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const text of createReadStream(path, 'utf8')) {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Hashes lines as an export writes them. */
function compareWith(expected: Manifest['checksums']) {
  const checksums = new PartChecksums()
  return {
    take: async (part: ExportPart, items: readonly object[]) => checksums.add(part, linesOf(items)),
    differing: () => {
      const digests = checksums.digests()
      return exportParts.filter((part) => digests[part] !== expected[part])
    },
  }
}
