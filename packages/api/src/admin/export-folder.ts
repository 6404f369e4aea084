import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { administrator } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import {
  type Exported,
  exportParts,
  type ExportPart,
  exportWorkspace,
} from '#domain/workspace/export'
import type { Database } from '#storage/transaction/database'

/** Creates the folder, which must not exist: an export never overwrites files. */
export async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    const reason = exists ? 'it already exists' : String(cause)
    throw new Failure('unavailable', `Cannot export to ${folder}: ${reason}.`, { cause })
  }
}

/** An import refuses another format. */
export const exportFormat = 5

/** What `manifest.json` contains. */
export interface Manifest extends Exported {
  readonly format: number
  readonly workspace_id: string
  /** SHA-256 of the files. */
  readonly checksums: Readonly<Record<ExportPart, string>>
}

export const fileOf = (folder: string, part: ExportPart) => join(folder, `${part}.ndjson`)

export const linesOf = (items: readonly object[]) =>
  items.map((item) => `${JSON.stringify(item)}\n`).join('')

/** The checksums of the files, from the lines that they get. */
export class PartChecksums {
  readonly #hashes = new Map(exportParts.map((part) => [part, createHash('sha256')]))

  add(part: ExportPart, lines: string): void {
    this.#hashes.get(part)?.update(lines)
  }

  /** Ends the hashes. */
  digests(): Manifest['checksums'] {
    const digests = [...this.#hashes].map(([part, hash]) => [part, hash.digest('hex')])
    // The cast holds because every part has a hash.
    return Object.fromEntries(digests) as Manifest['checksums']
  }
}

/**
 * Writes an export: one NDJSON file per part, and last the manifest. A folder without a manifest is
 * incomplete. All files are synced to disk when this returns.
 */
export async function writeExport(
  database: Database,
  workspaceId: string,
  folder: string,
): Promise<Exported> {
  const files = new Map<ExportPart, FileHandle>()
  const checksums = new PartChecksums()
  try {
    for (const part of exportParts) files.set(part, await createFile(fileOf(folder, part)))
    const exported = await exportWorkspace(
      administrator(database, workspaceId),
      async (part, items) => {
        const lines = linesOf(items)
        checksums.add(part, lines)
        await files.get(part)?.appendFile(lines)
      },
    )
    for (const file of files.values()) await file.sync()
    await writeManifest(folder, {
      format: exportFormat,
      workspace_id: workspaceId,
      ...exported,
      checksums: checksums.digests(),
    })
    return exported
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  } finally {
    for (const file of files.values()) await file.close()
  }
}

async function writeManifest(folder: string, content: Manifest): Promise<void> {
  await using manifest = await createFile(join(folder, 'manifest.json'))
  await manifest.appendFile(`${JSON.stringify(content, null, 2)}\n`)
  await manifest.sync()
}

/** Readable by its owner only, because it contains personal data. */
const createFile = (path: string) => open(path, 'wx', 0o600)

export const formatCounts = ({ counts }: Exported) =>
  Object.entries(counts)
    .map(([part, count]) => `${count} ${part}`)
    .join(', ')
