import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createFolder, writeExport } from '#admin/export-folder'
import { openExport } from '#admin/import-folder'
import { importWorkspace } from '#domain/workspace/import'
import { Database } from '#storage/engine/database'
import { createPool } from '#storage/engine/pool'
import { createDatabase } from '#test/support/database'
import { patient } from '#test/support/patient'

/** Exports a workspace and imports it into a new database. */
export async function importElsewhere(owner: Database, workspaceId: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-golden-'))
  const to = join(folder, 'export')
  await createFolder(to)
  await writeExport(owner, workspaceId, to)
  const url = await createDatabase()
  const pool = createPool({ url, role: 'muster_owner', max: 2, timeouts: patient })
  await using other = new Database(pool, patient)
  await importWorkspace(other, await openExport(to), { isDryRun: false, onPart: () => {} })
  rmSync(folder, { recursive: true })
}
