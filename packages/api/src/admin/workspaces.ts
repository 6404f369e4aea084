import { Command } from '@commander-js/extra-typings'

import { administrator } from '#domain/caller'
import type { Exported } from '#domain/export'
import { Failure } from '#domain/failure'
import {
  closeForGood,
  isBeingRemoved,
  removeRows,
  resumeWorkspace,
  suspendWorkspace,
} from '#domain/workspace-life'
import { everyWorkspace, foundWorkspace, pickWorkspace } from '#domain/workspaces'
import type { Database } from '#storage/database'

import { countsOf, makeFolder, writeExport } from './export-folder.ts'
import { ask, print, readName, say } from './terminal.ts'

/** Opens the database as its owner. A patient one lets a statement take its time. */
export type Open = (options?: { isPatient: boolean }) => Promise<Database>

const which = 'which workspace'

/** Everything that can be done to a workspace by whoever holds the credential of the database. */
export function workspaceCommand(open: Open): Command {
  const workspace = new Command('workspace').description(
    'Make, list, suspend, resume, export and delete workspaces.',
  )
  addMaking(workspace, open)
  addPausing(workspace, open)
  addEnding(workspace, open)
  return workspace
}

function addMaking(workspace: Command, open: Open): void {
  workspace
    .command('create')
    .description('Make a workspace without any key. Its id is the last line of stdout.')
    .requiredOption('--name <name>', 'what the organisation is called', readName)
    .action(async ({ name }) => {
      await using database = await open()
      const { id, isNew } = await foundWorkspace(database, name)
      if (!isNew) throw new Failure('name_taken', `There is a workspace named ${name}: ${id}.`)
      say(`Made the workspace ${name}.`)
      print(id)
    })

  workspace
    .command('list')
    .description('List all workspaces, with the people on their rosters and their keys.')
    .action(async () => {
      await using database = await open()
      const columns = ['id', 'status', 'people', 'keys', 'created_at', 'name'] as const
      print(columns.join('\t'))
      for (const each of await everyWorkspace(database)) {
        print(columns.map((column) => each[column] ?? '-').join('\t'))
      }
    })
}

function addPausing(workspace: Command, open: Open): void {
  workspace
    .command('suspend')
    .description('Let nobody in, from the next request on. Nothing is lost.')
    .argument('<name or id>', which)
    .action(async (nameOrId) => {
      await using database = await open()
      const { id, name } = await pickWhole(database, nameOrId)
      const isNew = await suspendWorkspace(administrator(database, id))
      say(isNew ? `Suspended ${name} (${id}).` : `${name} (${id}) was suspended already.`)
    })

  workspace
    .command('resume')
    .description('End a suspension: the keys and sessions of before count again.')
    .argument('<name or id>', which)
    .action(async (nameOrId) => {
      await using database = await open()
      const { id, name } = await pickWhole(database, nameOrId)
      const isNew = await resumeWorkspace(administrator(database, id))
      say(isNew ? `Resumed ${name} (${id}).` : `${name} (${id}) was not suspended.`)
    })
}

function addEnding(workspace: Command, open: Open): void {
  workspace
    .command('export')
    .description('Write all that a workspace holds into a new folder, as lines of JSON.')
    .argument('<name or id>', which)
    .requiredOption('--to <folder>', 'a folder that is not there yet')
    .action(async (nameOrId, { to }) => {
      await using database = await open({ isPatient: true })
      const { id, name } = await pickWhole(database, nameOrId)
      await makeFolder(to)
      tellExport(name, to, await writeExport(database, id, to))
    })

  workspace
    .command('delete')
    .description('Export a workspace, then delete all of it. It cannot be undone.')
    .argument('<name or id>', which)
    .requiredOption('--export-to <folder>', 'a folder that is not there yet')
    .option('--confirm <name>', 'the name of the workspace; asked for when it is left out')
    .action(async (nameOrId, { exportTo, confirm }) => {
      await using database = await open({ isPatient: true })
      const { id, name } = await pickWorkspace(database, nameOrId)
      await refuseUnconfirmed(name, confirm)
      const caller = administrator(database, id)
      if (await isBeingRemoved(database, id)) {
        say(`The deletion of ${name} was begun before, and its export was made then. Going on.`)
      } else {
        await makeFolder(exportTo)
        await suspendWorkspace(caller)
        say(
          `Suspended ${name} (${id}). \`workspace resume ${id}\` undoes it, until it is exported.`,
        )
        const exported = await writeExport(database, id, exportTo)
        tellExport(name, exportTo, exported)
        await closeForGood(caller, exported.as_of)
      }
      await removeRows(caller, (table, rows) => {
        if (rows > 0) say(`  ${rows} rows of ${table} deleted`)
      })
      say(`Deleted ${name} (${id}).`)
    })
}

/** What is half deleted can only be deleted. */
async function pickWhole(database: Database, nameOrId: string) {
  const found = await pickWorkspace(database, nameOrId)
  if (!(await isBeingRemoved(database, found.id))) return found
  const detail = `The deletion of ${found.name} has begun: \`workspace delete\` goes on with it.`
  throw new Failure('not_found', detail)
}

function tellExport(name: string, folder: string, exported: Exported): void {
  say(`Exported ${name} as of ${exported.as_of} to ${folder}: ${countsOf(exported)}.`)
}

async function refuseUnconfirmed(name: string, confirm: string | undefined): Promise<void> {
  const typed = confirm ?? (await ask(`Type the name of the workspace to delete it (${name}): `))
  if (typed === name) return
  const reason = typed === null ? 'There is no terminal to ask on: add --confirm' : 'It must be'
  throw new Failure('unavailable', `Nothing was deleted. ${reason} "${name}".`)
}
