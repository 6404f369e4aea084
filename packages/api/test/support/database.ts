import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

import { Client } from 'pg'

import { migrate } from '#storage/migrate'

import { atEnd } from './at-end.ts'

/** `npm test` finds a server, or starts one, and says here where it is. */
const server = new URL(process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres')

function urlOf(database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/**
 * A migrated database of its own for the calling test file, gone when the file has ended. What is
 * committed need not be on the disk: whoever kills a server has one of their own.
 */
export async function createDatabase(): Promise<string> {
  const name = newName()
  await administer(`create database ${name} template ${await ensureTemplate()}`)
  await administer(`alter database ${name} set synchronous_commit = off`)
  atEnd(() => administer(`drop database ${name} with (force)`))
  return urlOf(name)
}

/** A database without any tables. */
export async function createEmptyDatabase(): Promise<string> {
  const name = newName()
  await administer(`create database ${name}`)
  atEnd(() => administer(`drop database ${name} with (force)`))
  return urlOf(name)
}

/**
 * A migrated database that outlives the test file, for what takes long to fill; under a name that
 * changes whenever the migrations or `contents` do. Whoever has filled it says so: one that was
 * left half full is made anew.
 */
export async function keptDatabase(contents: string) {
  const template = await ensureTemplate()
  const hash = createHash('sha256').update(template).update(contents).digest('hex').slice(0, 12)
  const name = `muster_kept_${hash}`
  const client = await connect(server.href)
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
  const sayFull = () => administer(`comment on database ${name} is 'full'`)
  return { url: urlOf(name), isFull, sayFull }
}

const newName = () => `muster_test_${randomBytes(6).toString('hex')}`

/** Ours; or those of a release to come, on which the tests of this one must hold too. */
const given = process.env['MIGRATIONS_FOLDER']
const migrations = given ? pathToFileURL(given) : new URL('../migrations/', import.meta.url)

/** Migrated once for each state of the migrations; every test file clones it. */
async function ensureTemplate(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of readdirSync(migrations).toSorted()) {
    hash.update(readFileSync(new URL(file, migrations)))
  }
  const name = `muster_template_${hash.digest('hex').slice(0, 12)}`
  const client = await connect(server.href)
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
 * As whoever the server's URL names, usually a superuser: for arranging, never for what is tested.
 */
export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, options: '-c search_path=muster' })
  // Some tests kill the server; whoever asks by this connection then is told so.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function administer(statement: string): Promise<void> {
  const client = await connect(server.href)
  await client.query(statement)
  await client.end()
}
