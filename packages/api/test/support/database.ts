import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

import { atEnd, atEndOfProcess, testFile } from '@muster/testing/at-end'
import { Client, DatabaseError } from 'pg'

import { migrate } from '#storage/migration/migrate'

/** `npm test` finds or starts a server and passes its address in DATABASE_URL. */
export const databaseServer = new URL(
  process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
)

function urlOf(database: string): string {
  const url = new URL(databaseServer)
  url.pathname = `/${database}`
  return url.href
}

/**
 * Creates a migrated database for the calling test file, dropped when the file ends. Commits are
 * asynchronous: tests that kill the server start their own.
 */
export async function createDatabase(): Promise<string> {
  const name = newName()
  await administer(`create database ${name} template ${await ensureTemplate()}`)
  await administer(`alter database ${name} set synchronous_commit = off`)
  dropAtEnd(name)
  return urlOf(name)
}

/** Creates a database without any tables, dropped when the test file ends. */
export async function createEmptyDatabase(): Promise<string> {
  const name = newName()
  await administer(`create database ${name}`)
  dropAtEnd(name)
  return urlOf(name)
}

/** PostgreSQL waits for a checkpoint to drop a database. The next test file does not. */
function dropAtEnd(name: string): void {
  atEnd(async () => {
    const dropped = administer(`drop database ${name} with (force)`)
    dropped.catch(() => {})
    atEndOfProcess(() => dropped)
  })
}

/**
 * Opens a migrated database that outlives the test file, for data that takes long to fill. Its name
 * depends on the migrations and on `contents`. The caller marks it as full with `markFull`; a
 * database without that mark is created again.
 */
export async function keptDatabase(contents: string) {
  const template = await ensureTemplate()
  const hash = createHash('sha256').update(template).update(contents).digest('hex').slice(0, 12)
  const name = `muster_kept_${hash}`
  const client = await connect(databaseServer.href)
  const { rows } = await client.query(
    `select from pg_database where datname = $1 and shobj_description(oid, 'pg_database') = 'full'`,
    [name],
  )
  const isFull = rows.length > 0
  if (!isFull) {
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`create database ${name} template ${template}`)
  }
  await client.end()
  const markFull = () => administer(`comment on database ${name} is 'full'`)
  return { url: urlOf(name), isFull, markFull }
}

/** A database that can be copied as a standby would have it, and replaced by such a copy. */
export async function createLosable() {
  const url = await createDatabase()
  const name = new URL(url).pathname.slice(1)
  const client = await connect(databaseServer.href)
  atEnd(() => client.end())
  /** Nothing may be connected to a database that is copied or renamed. */
  const disconnected = async (work: () => Promise<unknown>) => {
    await client.query(`alter database ${name} allow_connections false`)
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [name],
    )
    await work()
    await client.query(`alter database ${name} allow_connections true`)
  }
  return {
    url,
    /** Copies the present state and returns the name of the copy. */
    async copy(): Promise<string> {
      const copy = newName()
      await disconnected(() => client.query(`create database ${copy} template ${name}`))
      atEnd(() => administer(`drop database if exists ${copy} with (force)`))
      return copy
    },
    /** Continues from a copy. What was written after it is lost. */
    async continueFrom(copy: string): Promise<void> {
      const lost = newName()
      await disconnected(async () => {
        await client.query(`alter database ${name} rename to ${lost}`)
        await client.query(`create database ${name} template ${copy}`)
        await client.query(`drop database ${lost}`)
      })
    },
  }
}

/** The beginning of the names of the databases of a test file: its folder and its name. */
export const databasePrefix = (file: string) => {
  const name = `${basename(dirname(file))}_${basename(file).replace('.test.ts', '')}`
  return `muster_test_${name.replaceAll(/\W/g, '_').slice(0, 36)}_`
}

const newName = () => databasePrefix(testFile()) + randomBytes(6).toString('hex')

/** The migrations of this release, or those of a later one that this release must work on. */
const given = process.env['MIGRATIONS_FOLDER']
const migrations = given ? pathToFileURL(given) : new URL('../../migrations/', import.meta.url)

/** Migrates a template database once per state of the migrations. Every test file clones it. */
async function ensureTemplate(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of readdirSync(migrations).toSorted()) {
    hash.update(readFileSync(new URL(file, migrations)))
  }
  const name = `muster_template_${hash.digest('hex').slice(0, 12)}`
  const client = await connect(databaseServer.href)
  try {
    await client.query(`select pg_advisory_lock(hashtext('muster_template'))`)
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rows.length > 0) return name
    const building = `${name}_new`
    await client.query(`drop database if exists ${building} with (force)`)
    await client.query(`create database ${building}`)
    await migrate(urlOf(building), { folder: migrations })
    await client.query(`alter database ${building} rename to ${name}`)
    return name
  } finally {
    await client.end()
  }
}

/**
 * Connects as the role in the URL, usually a superuser: to arrange and inspect data, never for the
 * code under test.
 */
export async function connect(url: string): Promise<Client> {
  for (let tries = 1; ; tries++) {
    const client = new Client({ connectionString: url, options: '-c search_path=muster' })
    // Some tests kill the server. The next query on this connection then rejects.
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      if (tries === connectTriesMax || !isFull(error)) throw error
      await sleep(100)
    }
  }
}

/** Test files that run side by side can have all connections of the server for a moment. */
const connectTriesMax = 300
const tooManyConnections = '53300'

const isFull = (error: unknown) =>
  error instanceof DatabaseError && error.code === tooManyConnections

async function administer(statement: string): Promise<void> {
  const client = await connect(databaseServer.href)
  await client.query(statement)
  await client.end()
}
