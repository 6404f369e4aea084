import { randomBytes } from 'node:crypto'

import {
  Command,
  CommanderError,
  type CommandUnknownOpts,
  InvalidArgumentError,
} from '@commander-js/extra-typings'
import { limits, type Scope, scopes, version } from '@muster/contract'

import { manageScopes } from '#domain/auth/key'
import { createKey, listAllKeys, revokeKey } from '#domain/auth/keys'
import { createLink, findUserId } from '#domain/auth/links'
import { administrator } from '#domain/engine/caller'
import { idError } from '#domain/rules/id'
import { allowPasskeys, allowsLinks } from '#domain/workspace/workspace'
import { findWorkspace, createWorkspace } from '#domain/workspace/workspaces'
import { createPool } from '#storage/connection/pool'
import { requireSessionSettings, sessionSettingsOf } from '#storage/connection/session-settings'
import { readMigrations } from '#storage/migration/migrations'
import { SchemaCheck } from '#storage/migration/schema-check'
import { updateEpoch } from '#storage/numbers/counters'
import { Database } from '#storage/transaction/database'

import { doctorCommand } from './admin/doctor.ts'
import { secretsCommand } from './admin/secrets.ts'
import { print, parseName, logMessage } from './admin/terminal.ts'
import { workspaceCommand } from './admin/workspaces.ts'
import { publicUrlOf, readConfig, splitList } from './config/config.ts'
import { describeError, OperatorError } from './config/operator-error.ts'

const program = new Command('npm run admin --')
  .description('Administer a Muster database as its owner (DATABASE_URL).')
  .version(version, '--version', 'print the version')
  .addHelpText('after', '\nExit code: 0 done, 1 failed, 2 wrong command, argument or option.')
  .configureHelp({ showGlobalOptions: true })

program
  .command('bootstrap')
  .description('Create a workspace and a key with every .manage scope, valid for 24 hours.')
  .requiredOption('--workspace <name>', 'name of the organisation', parseName)
  .action(async ({ workspace }) => {
    await using database = await openDatabase()
    const { id, isNew } = await createWorkspace(database, workspace)
    logMessage(
      isNew ? `Created the workspace ${workspace} (${id}).` : `${workspace} exists (${id}).`,
    )
    const { token } = await createKey(administrator(database, id), {
      name: 'Bootstrap',
      scopes: manageScopes,
      expiresInHours: 24,
    })
    logMessage(`A key with ${manageScopes.join(', ')}, valid for 24 hours.`)
    logMessage('Keys that it creates expire with it. It is shown only once:')
    print(token)
  })

program.addCommand(workspaceCommand(openDatabase))
program.addCommand(doctorCommand(readConfig))
program.addCommand(secretsCommand(openDatabase, () => splitList(readConfig().SECRETS_KEY ?? '')))

program
  .command('epoch')
  .description('Manage the epoch of the database, which is part of every ETag.')
  .command('renew')
  .description('Start a new epoch after data was loaded by hand: no earlier ETag matches.')
  .action(async () => {
    await using database = await openDatabase()
    await database.ask((db) => updateEpoch(db, randomBytes(6).toString('hex')))
    logMessage('A new epoch has begun. No earlier ETag matches any more.')
  })

const workspaceOption = 'workspace of the key; optional when there is only one'
const key = program.command('key').description('Create, list and revoke API keys.')

key
  .command('create')
  .description('Create a key. The last line of stdout is the key alone.')
  .option('--workspace <name or id>', workspaceOption)
  .requiredOption('--name <name>', 'purpose of the key', parseName)
  .requiredOption('--scopes <list>', `comma-separated list of ${scopes.join(', ')}`, parseScopes)
  .option('--expires-in-days <days>', 'days until it expires', parseDays, limits.keyDays.default)
  .option('--no-expiry', 'create a key that never expires')
  .action(async ({ workspace, name, scopes: keyScopes, expiresInDays, expiry }) => {
    await using database = await openDatabase()
    const caller = administrator(database, await findWorkspace(database, workspace))
    const expiresInHours = expiry ? expiresInDays * 24 : null
    const { id, token } = await createKey(caller, { name, scopes: keyScopes, expiresInHours })
    const validity = expiry ? `valid for ${expiresInDays} days` : 'without expiry'
    logMessage(`The key ${id} with ${keyScopes.join(', ')}, ${validity}. It is shown only once:`)
    print(token)
  })

key
  .command('list')
  .description('List the keys of a workspace. Secrets are not stored, so none are shown.')
  .option('--workspace <name or id>', workspaceOption)
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
    for (const each of await listAllKeys(caller)) {
      print(columns.map((column) => [each[column] ?? '-'].flat().join(',')).join('\t'))
    }
  })

key
  .command('revoke')
  .description('Revoke a key, from its next request on. This cannot be undone.')
  .argument('<key_id>', 'id of the key (key_…) from `key list`, never its secret')
  .option('--workspace <name or id>', workspaceOption)
  .action(async (id, { workspace }, command) => {
    // Not a parser of the argument, because commander prints the refused value, even a secret.
    if (idError(id, 'key') !== null) {
      const advice = '`key list` shows the ids.'
      command.error(`error: Give the id of the key (key_…), never its secret. ${advice}`)
    }
    await using database = await openDatabase()
    await revokeKey(administrator(database, await findWorkspace(database, workspace)), id)
    logMessage(`Revoked ${id}.`)
  })

program
  .command('sign-in-link')
  .description('Create a one-time sign-in link for a person. The last line of stdout is the link.')
  .argument('<user id or email>', 'person who signs in')
  .option('--workspace <name or id>', 'workspace of the person; optional when there is only one')
  .option('--invitation', 'valid for 72 hours instead of 15 minutes', false)
  .option('--allow-passkeys', 'also allow sign-in with passkeys in the workspace', false)
  .action(async (userIdOrEmail, { workspace, invitation, allowPasskeys: mayAllow }) => {
    await using database = await openDatabase()
    const publicUrl = publicUrlOf(readConfig())
    const workspaceId = await findWorkspace(database, workspace)
    const caller = { ...administrator(database, workspaceId), publicUrl }
    const userId = await findUserId(caller, userIdOrEmail)
    const purpose = invitation ? 'invitation' : 'sign_in'
    if (mayAllow) await allowPasskeys(caller)
    const { url, expires_at } = await createLink(caller, userId, { purpose })
    logMessage(`A sign-in link of ${userId}, valid once until ${expires_at}.`)
    if (!(await allowsLinks(caller)))
      logMessage('The workspace does not allow sign-in by link: it only adds a passkey.')
    logMessage('It starts with PUBLIC_URL. Earlier links of this person no longer work.')
    print(url)
  })

program
  .command('session-settings')
  .description('Print SQL that sets the session settings of the service, for use with PgBouncer.')
  .argument('<login>', 'database login of the service')
  .action((login) => sessionSettingsOf(login).forEach((statement) => print(statement)))

/** Refuses a schema that this release cannot use: a command could fail halfway. */
async function openDatabase({ hasLongTimeouts } = { hasLongTimeouts: false }): Promise<Database> {
  const url = readConfig().DATABASE_URL
  const options = { url, role: 'muster_owner', max: 2, hasLongTimeouts } as const
  // The commit of an import writes the end of a large transaction.
  const database = new Database(createPool(options), hasLongTimeouts ? { flushMs: 60_000 } : {})
  try {
    await requireSessionSettings(options)
    const problem = await new SchemaCheck(database, await readMigrations()).check()
    if (problem !== null) throw new OperatorError(problem)
    return database
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }
}

function parseScopes(list: string): Scope[] {
  const wanted = list.split(',').map((scope) => scope.trim())
  const unknown = wanted.find((scope) => !scopes.some((each) => each === scope))
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no scope '${unknown}'.`)
  return scopes.filter((scope) => wanted.includes(scope))
}

function parseDays(text: string): number {
  const days = Number(text)
  if (Number.isInteger(days) && days >= 1 && days <= limits.keyDays.max) return days
  throw new InvalidArgumentError(`Must be a whole number from 1 to ${limits.keyDays.max}.`)
}

/** Makes commander throw after its message, where it would exit with 1. */
function throwOnWrongUsage(command: CommandUnknownOpts): void {
  command.exitOverride()
  for (const each of command.commands) throwOnWrongUsage(each)
}

throwOnWrongUsage(program)
try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    // Not 1: a script can distinguish wrong usage from a failure. After --help it is 0.
    process.exitCode = error.exitCode === 0 ? 0 : 2
  } else {
    logMessage(describeError(error, 'DATABASE_URL'))
    process.exitCode = 1
  }
}
