import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

import { type DemoKeys, makeDemoKeys, migrate, openOwner, seed } from '@muster/api/seed'
import { serveConsole } from '@muster/console'
import { Client } from 'pg'

import { findPostgres } from './postgres.ts'

/**
 * `npm run dev`: a running, seeded service on a clean clone, with keys and a curl to paste. It
 * starts again by itself when the source changes.
 */
const port = Number(process.env['PORT'] ?? 8080)
const base = `http://127.0.0.1:${port}`
const consolePort = Number(process.env['CONSOLE_PORT'] ?? 5173)
const began = performance.now()

await using postgres = await findPostgres()
const url = postgres.origin === 'DATABASE_URL' ? postgres.url : await ownDatabase(postgres.url)
step(`PostgreSQL: ${postgres.origin}`)
const migrated = await migrate(url)
step(migrated.length > 0 ? `Migrated: ${migrated.join(', ')}` : 'The schema is up to date')
const keys = await tellStory()
step('Seeded: Northwater, its people, projects, risks and issues')
spawnSync('git', ['config', 'core.hooksPath', 'tools/hooks'])

const service = spawn(process.execPath, ['--watch', 'packages/api/src/main.ts'], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    DATABASE_URL: url,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '0',
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill(signal))
await answering()
step('The service answers')
const vite = await serveConsole({ api: base, port: consolePort })
step('The console is served from its source')
console.log(welcome(keys))
await once(service, 'exit')
await vite.close()

function step(text: string): void {
  console.log(`  ${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  ${text}`)
}

/** Development has a database of its own beside whatever else the server holds. */
async function ownDatabase(server: string): Promise<string> {
  const name = 'muster_dev'
  const client = new Client({ connectionString: server })
  await client.connect()
  const { rows } = await client.query('select 1 from pg_database where datname = $1', [name])
  if (rows.length === 0) await client.query(`create database ${name}`)
  await client.end()
  const own = new URL(server)
  own.pathname = `/${name}`
  return own.href
}

async function tellStory(): Promise<DemoKeys> {
  await using database = openOwner(url)
  const { workspaceId } = await seed(database)
  return await makeDemoKeys(database, workspaceId)
}

async function answering(): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const isUp = await fetch(`${base}/livez`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    if (service.exitCode !== null) throw new Error('The service ended. Its last words are above.')
    await sleep(100)
  }
  throw new Error(`Nothing answers at ${base}. Is the port taken? PORT=8081 npm run dev`)
}

function welcome({ manager, reader, nobody }: DemoKeys): string {
  return `
Muster is running.
  The console    http://127.0.0.1:${consolePort}/  (sign in with a key)
  The API        ${base}/about
  The reference  ${base}/docs

Keys for a day, to the workspace Northwater:
  manager (may do everything)   ${manager}
  reader  (may read everything) ${reader}
  nobody  (holds no scope)      ${nobody}

Paste this:
  KEY=${reader}
  curl -s -H "Authorization: Bearer $KEY" "${base}/v1/risks?limit=3"

Ctrl-C ends it.`
}
