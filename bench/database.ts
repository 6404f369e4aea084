import { randomBytes } from 'node:crypto'

import { Client } from 'pg'

async function administer(url: URL, statement: string): Promise<void> {
  const server = new URL(url)
  server.pathname = '/postgres'
  const client = new Client({ connectionString: server.href })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Creates a database. The caller must drop it. */
export async function createDatabase(): Promise<string> {
  const url = new URL(process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres')
  const name = `muster_bench_${randomBytes(6).toString('hex')}`
  await administer(url, `create database ${name}`)
  url.pathname = `/${name}`
  return url.href
}

export async function dropDatabase(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl)
  await administer(url, `drop database ${url.pathname.slice(1)} with (force)`)
}
