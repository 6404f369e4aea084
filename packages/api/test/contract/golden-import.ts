import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createFolder, writeExport } from '#admin/export-folder'
import { openExport } from '#admin/import-folder'
import { importWorkspace } from '#domain/workspace/import'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { createDatabase } from '#test/support/database'
import { longTimeouts } from '#test/support/long-timeouts'

/** Exports a workspace and imports it into a new database. */
export async function importElsewhere(owner: Database, workspaceId: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-golden-'))
  const to = join(folder, 'export')
  await createFolder(to)
  await writeExport(owner, workspaceId, to)
  const url = await createDatabase()
  const pool = createPool({ url, role: 'muster_owner', max: 2, timeouts: longTimeouts })
  await using other = new Database(pool, longTimeouts)
  await importWorkspace(other, await openExport(to), { isDryRun: false, onPart: () => {} })
  rmSync(folder, { recursive: true })
}
