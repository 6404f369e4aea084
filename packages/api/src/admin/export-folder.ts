import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { administrator } from '#domain/caller'
import { type Exported, exportParts, type ExportPart, exportWorkspace } from '#domain/export'
import { Failure } from '#domain/failure'
import type { Database } from '#storage/database'

/** Makes the folder, which must not be there: nothing that someone kept is ever written over. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (cause) {
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    const reason = isThere ? 'it exists already' : String(cause)
    throw new Failure('unavailable', `Cannot export to ${folder}: ${reason}.`, { cause })
  }
}

/**
 * Writes an export: a file for each part, one JSON object a line, and last of all the manifest. A
 * folder without a manifest is not whole. It is on the disk when this returns.
 */
export async function writeExport(
  database: Database,
  workspaceId: string,
  folder: string,
): Promise<Exported> {
  const files = new Map<ExportPart, FileHandle>()
  try {
    for (const part of exportParts) files.set(part, await create(join(folder, `${part}.ndjson`)))
    const exported = await exportWorkspace(
      administrator(database, workspaceId),
      async (part, items) => {
        const lines = items.map((item) => `${JSON.stringify(item)}\n`).join('')
        await files.get(part)?.appendFile(lines)
      },
    )
    for (const file of files.values()) await file.sync()
    await writeManifest(folder, { format: 1, workspace_id: workspaceId, ...exported })
    return exported
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  } finally {
    for (const file of files.values()) await file.close()
  }
}

async function writeManifest(folder: string, told: object): Promise<void> {
  await using manifest = await create(join(folder, 'manifest.json'))
  await manifest.appendFile(`${JSON.stringify(told, null, 2)}\n`)
  await manifest.sync()
}

/** For its owner's eyes alone: it tells everything of people. */
const create = (path: string) => open(path, 'wx', 0o600)

export const countsOf = ({ counts }: Exported) =>
  Object.entries(counts)
    .map(([part, count]) => `${count} ${part}`)
    .join(', ')
