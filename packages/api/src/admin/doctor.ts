import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { version } from '@muster/contract'

import type { Config } from '#config'
import { describeError } from '#operator-error'
import { databaseAdvice } from '#storage/connection/advice'
import { createPool, type PoolOptions } from '#storage/connection/pool'
import { databaseTimeouts } from '#storage/connection/timeouts'
import { selectServer } from '#storage/inspect/server'
import { Database } from '#storage/transaction/database'
import { StorageError } from '#storage/values/storage-error'

import {
  type Check,
  type CheckContext,
  count,
  failure,
  type Finding,
  ok,
  warning,
} from './doctor/finding.ts'
import { jobs, sweptWorkspaces } from './doctor/jobs.ts'
import { databaseRoles, grants, migrations, rowLevelSecurity } from './doctor/schema.ts'
import {
  clock,
  connections,
  durability,
  server,
  serviceLogin,
  synchronousCommit,
} from './doctor/server.ts'
import { tables } from './doctor/tables.ts'
import { archiving, recoveryTarget, replicationSlots, standbys } from './doctor/wal.ts'
import { logMessage, print } from './terminal.ts'

const checks: readonly Check[] = [
  server,
  clock,
  migrations,
  databaseRoles,
  grants,
  rowLevelSecurity,
  serviceLogin,
  connections,
  durability,
  synchronousCommit,
  jobs,
  sweptWorkspaces,
  archiving,
  standbys,
  replicationSlots,
  recoveryTarget,
  tables,
]

type NamedFinding = Finding & { readonly check: string }

/** `npm run admin -- doctor`. Exit code 2 means that it could not run. */
export function doctorCommand(readSettings: () => Config): Command {
  return new Command('doctor')
    .description('Check the database and its settings. Exit code: 0 no error, 1 errors, 2 not run.')
    .option('--json', 'print the findings as JSON', false)
    .option('--processes <count>', 'number of processes of the service', parseCount, 2)
    .action(async ({ json, processes }) => {
      try {
        const findings = await examine(readSettings(), processes)
        if (json) print(JSON.stringify({ findings }, null, 2))
        else printFindings(findings)
        process.exitCode = findings.some(({ state }) => state === 'error') ? 1 : 0
      } catch (error) {
        logMessage(describeError(error, 'DATABASE_URL'))
        process.exitCode = 2
      }
    })
}

async function examine(config: Config, processes: number): Promise<NamedFinding[]> {
  const url = config.DATABASE_URL
  const serviceUrl = config.DATABASE_SERVICE_URL ?? url
  await using login = open({ url, role: null })
  await using owner = open({ url, role: 'muster_owner' })
  await using app = open({ url: serviceUrl, role: 'muster_app' })
  const databases = { login, owner, service: app }
  const context = {
    poolMax: config.DATABASE_POOL_MAX,
    processes,
    hasServiceUrl: config.DATABASE_SERVICE_URL !== undefined,
  }
  const { isStandby } = await login.ask(selectServer)
  const findings: NamedFinding[] = [
    { check: 'version', ...ok(`Muster ${version}, Node ${process.versions.node}.`) },
    { check: 'configuration', ...ok('The settings of this environment are valid.') },
  ]
  for (const check of checks) {
    if (isStandby && check.isOfPrimary) continue
    const found = await runCheck(check, databases[check.as], context)
    findings.push(...found.map((each) => ({ check: check.name, ...each })))
  }
  return findings
}

/** Longer time limits than those of the service: a busy server is worth waiting for. */
const open = (options: PoolOptions) =>
  new Database(
    createPool({
      ...options,
      max: 1,
      timeouts: { ...databaseTimeouts, connectMs: 10_000, statementMs: 10_000, queryMs: 12_000 },
    }),
  )

/**
 * Reports what cannot be read as a finding. Without a response of the server there is nothing more
 * to check, except when only the URL of the service is wrong.
 */
async function runCheck(
  check: Check,
  database: Database,
  context: CheckContext,
): Promise<Finding[]> {
  try {
    return await database.ask((db) => check.run(db, context))
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    const isOfService = check.as === 'service'
    if (error.code === null && !isOfService) throw error
    const setting = isOfService && context.hasServiceUrl ? 'DATABASE_SERVICE_URL' : 'DATABASE_URL'
    if (error.code === '42501') {
      const next = `Run as a superuser: grant ${check.needs} to the user of ${setting}`
      return [warning(`Not readable: ${messageOf(error)}.`, next)]
    }
    const next = databaseAdvice(error, setting) ?? 'Fix the other errors, then run doctor again.'
    return [failure(`Not checked: ${messageOf(error)}.`, next)]
  }
}

/** The message of PostgreSQL or of the driver. */
function messageOf({ cause }: StorageError): string {
  if (cause instanceof StorageError) return messageOf(cause)
  return cause instanceof Error ? cause.message : String(cause)
}

function printFindings(findings: readonly NamedFinding[]): void {
  const width = Math.max(...findings.map(({ check }) => check.length))
  for (const { state, check, found, next } of findings) {
    print(`${state.padEnd(7)}  ${check.padEnd(width)}  ${found}`)
    if (next !== null) print(`${' '.repeat(9 + width)}  → ${next}`)
  }
  const counted = (wanted: Finding['state']) =>
    count(findings.filter(({ state }) => state === wanted).length, wanted)
  logMessage(`${counted('error')}, ${counted('warning')}.`)
}

function parseCount(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= 1000) return number
  throw new InvalidArgumentError('Must be a whole number from 1 to 1000.')
}
