import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { migrate, openOwner, seed } from '@muster/api/seed'
import { atEnd, atEndOfProcess } from '@muster/testing/at-end'
import { Client } from 'pg'

const root = fileURLToPath(new URL('../../', import.meta.url))

const databaseServer = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

const newName = () => `muster_e2e_${randomBytes(4).toString('hex')}`
const urlOf = (name: string) =>
  Object.assign(new URL(databaseServer), { pathname: `/${name}` }).href

/**
 * Returns the URL of a new database with the demo data, which is dropped after the test file. The
 * demo data ends at `time`, or today.
 */
export async function createDemoDatabase(time: Date | null): Promise<string> {
  const name = newName()
  const client = await connect()
  try {
    if (time) {
      await createDatabase(client, name, time)
    } else {
      await client.query(`create database ${name} template ${await demoTemplate(client)}`)
      // No test kills the server.
      await client.query(`alter database ${name} set synchronous_commit = off`)
    }
  } finally {
    await client.end()
  }
  atEnd(async () => {
    // It waits for a checkpoint, so the next file does not wait for it.
    const dropped = drop(name)
    dropped.catch(() => {})
    atEndOfProcess(() => dropped)
  })
  return urlOf(name)
}

async function drop(name: string): Promise<void> {
  const client = await connect()
  try {
    await client.query(`drop database ${name} with (force)`)
  } finally {
    await client.end()
  }
}

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: databaseServer })
  await client.connect()
  return client
}

const folders = ['packages/api/migrations/', 'packages/api/src/demo/', 'packages/demo/src/']

/** The name of the template: it depends on the schema, the demo data, and the day of its dates. */
function templateName(): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  const hash = createHash('sha256')
  for (const folder of folders) {
    for (const file of readdirSync(root + folder).toSorted()) {
      hash.update(readFileSync(root + folder + file))
    }
  }
  return `muster_demo_${day}_${hash.digest('hex').slice(0, 12)}`
}

/**
 * Returns the template database with the demo data, which every test file clones. The lock makes
 * the others wait while one of them creates it.
 */
async function demoTemplate(client: Client): Promise<string> {
  const template = templateName()
  if (await exists(client, template)) return template
  await client.query('select pg_advisory_lock(hashtext($1))', [template])
  if (!(await exists(client, template))) {
    await dropOldTemplates(client)
    await createTemplate(client, template)
  }
  await client.query('select pg_advisory_unlock(hashtext($1))', [template])
  return template
}

async function exists(client: Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
  return rowCount === 1
}

/** Drops the templates of earlier days. Those of today and yesterday may be in use elsewhere. */
async function dropOldTemplates(client: Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database
     where datname ~ '^muster_demo_\\d{8}_' and substr(datname, 13, 8)
       < to_char(now() at time zone 'UTC' - interval '1 day', 'YYYYMMDD')`,
  )
  for (const { datname } of rows) await client.query(`drop database if exists ${datname}`)
}

/** A database gets the name of the template once it is full. */
async function createTemplate(client: Client, template: string): Promise<void> {
  const name = newName()
  await createDatabase(client, name, new Date())
  await client.query(`alter database ${name} rename to ${template}`)
}

async function createDatabase(client: Client, name: string, time: Date): Promise<void> {
  await client.query(`create database ${name}`)
  await client.query(`alter database ${name} set synchronous_commit = off`)
  await migrate(urlOf(name))
  await using owner = openOwner(urlOf(name))
  await seed(owner, time)
}
