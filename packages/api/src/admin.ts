import { randomBytes } from 'node:crypto'

import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { limits, type Scope, scopes } from '@muster/contract'

import { administrator } from '#domain/caller'
import { whyNot } from '#domain/id'
import { createKey, everyKey, revokeKey } from '#domain/keys'
import { findWorkspace, foundWorkspace } from '#domain/workspaces'
import { updateEpoch } from '#storage/cluster'
import { Database } from '#storage/database'
import { migrationNames, missingAdvice, SchemaCheck } from '#storage/migrations'
import { createPool } from '#storage/pool'

import { print, readName, say } from './admin/terminal.ts'
import { workspaceCommand } from './admin/workspaces.ts'
import { readConfig } from './config.ts'
import { describeError, OperatorError } from './operator-error.ts'

const everyManageScope = scopes.filter((scope) => scope.endsWith('.manage'))

const program = new Command('npm run admin --')
  .description('Administer a Muster database. Needs its owner: DATABASE_URL.')
  .configureHelp({ showGlobalOptions: true })

program
  .command('bootstrap')
  .description('Make a workspace, and a key for its first day with every .manage scope.')
  .requiredOption('--workspace <name>', 'what the organisation is called', readName)
  .action(async ({ workspace }) => {
    await using database = await openDatabase()
    const { id, isNew } = await foundWorkspace(database, workspace)
    say(isNew ? `Made the workspace ${workspace} (${id}).` : `${workspace} exists (${id}).`)
    const { token } = await createKey(administrator(database, id), {
      name: 'Bootstrap',
      scopes: everyManageScope,
      expiresInHours: 24,
    })
    say(`A key with ${everyManageScope.join(', ')}, for 24 hours. Keys that it makes end with it.`)
    say('It is shown only now:')
    print(token)
  })

program.addCommand(workspaceCommand(openDatabase))

program
  .command('epoch')
  .description('The life of the database that numbers belong to.')
  .command('renew')
  .description('Begin a new one, after a restore: what clients keep of before validates nothing.')
  .action(async () => {
    await using database = await openDatabase()
    await database.ask((db) => updateEpoch(db, randomBytes(6).toString('hex')))
    say('A new epoch has begun. No ETag of before is good any more.')
  })

const whose = 'whose; may be left out when there is only one workspace'
const key = program.command('key').description('Make, list and revoke API keys.')

key
  .command('create')
  .description('Make a key. The key alone is the last line of stdout.')
  .option('--workspace <name or id>', whose)
  .requiredOption('--name <name>', 'what the key is for', readName)
  .requiredOption('--scopes <list>', `some of ${scopes.join(', ')}, with commas`, readScopes)
  .option('--expires-in-days <days>', 'how long it lives', readDays, limits.keyDays.default)
  .option('--no-expiry', 'let it live for ever')
  .action(async ({ workspace, name, scopes: held, expiresInDays, expiry }) => {
    await using database = await openDatabase()
    const caller = administrator(database, await findWorkspace(database, workspace))
    const expiresInHours = expiry ? expiresInDays * 24 : null
    const { id, token } = await createKey(caller, { name, scopes: held, expiresInHours })
    const life = expiry ? `for ${expiresInDays} days` : 'for ever'
    say(`The key ${id} with ${held.join(', ')}, ${life}. It is shown only now:`)
    print(token)
  })

key
  .command('list')
  .description('List the keys of a workspace. Secrets are not kept, so none are shown.')
  .option('--workspace <name or id>', whose)
  .action(async ({ workspace }) => {
    await using database = await openDatabase()
    const caller = administrator(database, await findWorkspace(database, workspace))
    const columns = [
      'id',
      'status',
      'hint',
      'expires_at',
      'last_used_at',
      'scopes',
      'name',
    ] as const
    print(columns.join('\t'))
    for (const each of await everyKey(caller)) {
      print(columns.map((column) => [each[column] ?? '-'].flat().join(',')).join('\t'))
    }
  })

key
  .command('revoke')
  .description('Revoke a key, from its next request on. It cannot be undone.')
  .argument('<key_id>', 'its id (key_…), from `key list`; never its secret')
  .option('--workspace <name or id>', whose)
  .action(async (id, { workspace }) => {
    // A parser of the argument would not do: commander repeats what it refuses, secret or not.
    if (whyNot(id, 'key') !== null) {
      const advice = '`key list` shows the ids.'
      throw new OperatorError(`Give the id of the key (key_…), never its secret. ${advice}`)
    }
    await using database = await openDatabase()
    await revokeKey(administrator(database, await findWorkspace(database, workspace)), id)
    say(`Revoked ${id}.`)
  })

/** Refuses a schema that lacks migrations of this release: a command might do half of its work. */
async function openDatabase({ isPatient } = { isPatient: false }): Promise<Database> {
  const url = readConfig().DATABASE_URL
  const database = new Database(createPool({ url, role: 'muster_owner', max: 2, isPatient }))
  try {
    const missing = await new SchemaCheck(database, await migrationNames()).check()
    if (missing.length > 0) throw new OperatorError(missingAdvice(missing))
    return database
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }
}

function readScopes(list: string): Scope[] {
  const wanted = list.split(',').map((scope) => scope.trim())
  const unknown = wanted.find((scope) => !scopes.some((each) => each === scope))
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no scope '${unknown}'.`)
  return scopes.filter((scope) => wanted.includes(scope))
}

function readDays(text: string): number {
  const days = Number(text)
  if (Number.isInteger(days) && days >= 1 && days <= limits.keyDays.max) return days
  throw new InvalidArgumentError(`A whole number from 1 to ${limits.keyDays.max}.`)
}

try {
  await program.parseAsync()
} catch (error) {
  say(describeError(error, 'DATABASE_URL'))
  process.exitCode = 1
}
