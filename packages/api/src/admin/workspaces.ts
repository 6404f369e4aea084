import { isDeepStrictEqual } from 'node:util'

import { Command } from '@commander-js/extra-typings'
import { limits } from '@muster/contract'

import { administrator } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import type { Exported } from '#domain/workspace/export'
import { importWorkspace } from '#domain/workspace/import'
import {
  closeWorkspace,
  isBeingRemoved,
  removeRows,
  resumeWorkspace,
  suspendWorkspace,
} from '#domain/workspace/workspace-lifecycle'
import { everyWorkspace, createWorkspace, pickWorkspace } from '#domain/workspace/workspaces'
import type { Database } from '#storage/transaction/database'

import { formatCounts, createFolder, writeExport } from './export-folder.ts'
import { openExport } from './import-folder.ts'
import { logMessage, parseName, parseSlug, print, prompt } from './terminal.ts'

/** Opens the database as its owner. `hasLongTimeouts` disables the statement time-out. */
export type OpenDatabase = (options?: { hasLongTimeouts: boolean }) => Promise<Database>

const workspaceArgument = 'name or id of the workspace'

/** The administration of workspaces, for an administrator with the database credential. */
export function workspaceCommand(open: OpenDatabase): Command {
  const workspace = new Command('workspace').description(
    'Create, list, suspend, resume, export, import and delete workspaces.',
  )
  addCreateAndList(workspace, open)
  addSuspendAndResume(workspace, open)
  addExportAndDelete(workspace, open)
  addImport(workspace, open)
  return workspace
}

function addCreateAndList(workspace: Command, open: OpenDatabase): void {
  workspace
    .command('create')
    .description('Create a workspace without a key. Its id is the last line of stdout.')
    .requiredOption('--name <name>', 'name of the organisation', parseName)
    .option('--slug <slug>', 'short name for the address of its sign-in page', parseSlug)
    .action(async ({ name, slug }) => {
      await using database = await open()
      const { id, isNew } = await createWorkspace(database, name, slug)
      if (!isNew) throw new Failure('name_taken', `There is a workspace named ${name}: ${id}.`)
      logMessage(`Created the workspace ${name}.`)
      print(id)
    })

  workspace
    .command('list')
    .description('List all workspaces with their numbers of people and keys.')
    .action(async () => {
      await using database = await open()
      const columns = ['id', 'status', 'people', 'keys', 'created_at', 'slug', 'name'] as const
      print(columns.join('\t'))
      for (const each of await everyWorkspace(database)) {
        print(columns.map((column) => each[column] ?? '-').join('\t'))
      }
    })
}

function addSuspendAndResume(workspace: Command, open: OpenDatabase): void {
  workspace
    .command('suspend')
    .description('Refuse all requests of a workspace, from the next one on. No data is lost.')
    .argument('<name or id>', workspaceArgument)
    .action(async (nameOrId) => {
      await using database = await open()
      const { id, name } = await pickUndeleted(database, nameOrId)
      const isNew = await suspendWorkspace(administrator(database, id))
      logMessage(isNew ? `Suspended ${name} (${id}).` : `${name} (${id}) was already suspended.`)
    })

  workspace
    .command('resume')
    .description('End a suspension. Existing keys and sessions are valid again.')
    .argument('<name or id>', workspaceArgument)
    .action(async (nameOrId) => {
      await using database = await open()
      const { id, name } = await pickUndeleted(database, nameOrId)
      const isNew = await resumeWorkspace(administrator(database, id))
      logMessage(isNew ? `Resumed ${name} (${id}).` : `${name} (${id}) was not suspended.`)
    })
}

function addExportAndDelete(workspace: Command, open: OpenDatabase): void {
  workspace
    .command('export')
    .description('Export all data of a workspace into a new folder, as NDJSON.')
    .argument('<name or id>', workspaceArgument)
    .requiredOption('--to <folder>', 'new folder for the export')
    .action(async (nameOrId, { to }) => {
      await using database = await open({ hasLongTimeouts: true })
      const { id, name } = await pickUndeleted(database, nameOrId)
      await createFolder(to)
      logExport(name, to, await writeExport(database, id, to))
    })

  workspace
    .command('delete')
    .description('Export a workspace, then delete it. This cannot be undone.')
    .argument('<name or id>', workspaceArgument)
    .requiredOption('--export-to <folder>', 'new folder for the export')
    .option('--confirm <name>', 'name of the workspace; prompted for when omitted')
    .action(async (nameOrId, { exportTo, confirm }) => {
      await using database = await open({ hasLongTimeouts: true })
      const { id, name } = await pickWorkspace(database, nameOrId)
      await refuseUnconfirmed(name, confirm)
      const caller = administrator(database, id)
      if (await isBeingRemoved(database, id)) {
        logMessage(`The deletion of ${name} was interrupted after its export. Continuing.`)
      } else {
        await createFolder(exportTo)
        await suspendWorkspace(caller)
        logMessage(`Suspended ${name} (${id}).`)
        logMessage(`Until the export is complete, \`workspace resume ${id}\` undoes this.`)
        const exported = await writeExport(database, id, exportTo)
        logExport(name, exportTo, exported)
        await closeWorkspace(caller, exported.as_of)
      }
      await removeRows(caller, (table, rows) => {
        if (rows > 0) logMessage(`  ${rows} rows of ${table} deleted`)
      })
      logMessage(`Deleted ${name} (${id}).`)
    })
}

function addImport(workspace: Command, open: OpenDatabase): void {
  workspace
    .command('import')
    .description('Import an exported workspace with the same ids. The last line is a new key.')
    .argument('<folder>', 'folder of an export')
    .option('--dry-run', 'check the export and import nothing', false)
    .action(async (folder, { dryRun: isDryRun }) => {
      const source = await openExport(folder)
      await using database = await open({ hasLongTimeouts: true })
      const { name, token, revoked } = await importWorkspace(database, source, {
        isDryRun,
        onPart: (part, items) => {
          if (items > 0) logMessage(`  ${items} ${part}`)
        },
      })
      const what = `${name} (${source.workspaceId}) as of ${source.as_of}`
      if (!isDeepStrictEqual(source.counters.quota, limits.quota)) {
        logMessage('The quotas of the export differ. The workspace has those of this server.')
      }
      logMessage('Everything was read back and is equal to the export.')
      if (isDryRun) {
        logMessage(`Dry run: ${what} can be imported. Nothing was written.`)
        return
      }
      logMessage(`Imported ${what}. It is active. Keys revoked: ${revoked}. Create new ones.`)
      logMessage('Sessions, links, passkeys and the identity provider were not exported.')
      logMessage('A key with every .manage scope, valid for 24 hours. It is shown only once:')
      print(token)
    })
}

/** A workspace whose deletion has begun can only be deleted. */
async function pickUndeleted(database: Database, nameOrId: string) {
  const found = await pickWorkspace(database, nameOrId)
  if (!(await isBeingRemoved(database, found.id))) return found
  const detail = `The deletion of ${found.name} has begun. Continue it with \`workspace delete\`.`
  throw new Failure('not_found', detail)
}

function logExport(name: string, folder: string, exported: Exported): void {
  logMessage(`Exported ${name} as of ${exported.as_of} to ${folder}: ${formatCounts(exported)}.`)
}

async function refuseUnconfirmed(name: string, confirm: string | undefined): Promise<void> {
  const typed = confirm ?? (await prompt(`Type the name of the workspace to delete it (${name}): `))
  if (typed === name) return
  const reason =
    typed === null ? 'There is no terminal for a prompt: add --confirm' : 'The name must be'
  throw new Failure('unavailable', `Nothing was deleted. ${reason} "${name}".`)
}
