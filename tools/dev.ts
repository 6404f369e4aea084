import '@muster/api/require-node'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { describeError, OperatorError } from '@muster/api/operator-error'
import {
  type DemoKeys,
  type DemoLinks,
  makeDemoKeys,
  makeDemoLinks,
  migrate,
  openOwner,
  seed,
} from '@muster/api/seed'
import { serveConsole } from '@muster/console'

import { openDevDatabase } from './dev-database.ts'
import { buildDocs } from './docs/build.ts'
import { isPortFree } from './ports.ts'
import { findPostgres } from './postgres.ts'

/**
 * `npm run dev`: starts a seeded service on a clean clone, and prints keys and a curl command. It
 * restarts when the source changes. SIGINT and SIGTERM stop everything that it started. Several can
 * run at once on different ports; they share the database.
 */
const { values } = parseArgs({ options: { recreate: { type: 'boolean', default: false } } })
const port = Number(process.env['PORT'] ?? 8080)
const base = `http://127.0.0.1:${port}`
const began = performance.now()
const cleanUp = new AsyncDisposableStack()
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopping.abort())
}
// npm passes SIGTERM to its shell only. The shell ends, and this process gets another parent.
const parent = process.ppid
setInterval(() => process.ppid !== parent && stopping.abort(), 250).unref()

try {
  if (await isPortFree(port)) await run()
  else throw new OperatorError(`Port ${port} is in use. Set PORT to another, such as ${port + 1}.`)
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error(describeError(error, 'DATABASE_URL'))
    process.exitCode = 1
  }
} finally {
  await cleanUp.disposeAsync()
}

async function run(): Promise<void> {
  const postgres = cleanUp.use(await findPostgres())
  step(`PostgreSQL: ${postgres.origin}`)
  const { url, migrated } =
    postgres.origin === 'DATABASE_URL'
      ? { url: postgres.url, migrated: await migrate(postgres.url) }
      : await openDevDatabase({
          server: postgres.url,
          name: 'muster_dev',
          isRecreated: values.recreate,
        })
  step(migrated.length > 0 ? `Migrated: ${migrated.join(', ')}` : 'The schema is up to date')
  const site = await serveConsole({ api: base, port: process.env['CONSOLE_PORT'] })
  cleanUp.defer(site.close)
  // A browser accepts passkeys for localhost, and not for an IP address.
  const publicUrl = `http://localhost:${new URL(site.url).port}`
  step('The console is served from its source')
  const demo = await seedDemo(url, publicUrl)
  step('Seeded: Northwater, its people, projects, risks and issues')
  await buildDocs()
  if (existsSync('.git')) spawnSync('git', ['config', 'core.hooksPath', 'tools/hooks'])

  const service = startService(url, publicUrl)
  await untilReady(service)
  step('The service is ready')
  console.log(welcome(demo))
  await once(service, 'exit', { signal: stopping.signal })
  throw new OperatorError('The service stopped.')
}

/** Prints progress. Throws if a signal arrived meanwhile: no step is left half done. */
function step(text: string): void {
  stopping.signal.throwIfAborted()
  console.log(`  ${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  ${text}`)
}

function startService(url: string, publicUrl: string): ChildProcess {
  const service = spawn(process.execPath, ['--watch', 'packages/api/src/main.ts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: url,
      PORT: String(port),
      PUBLIC_URL: publicUrl,
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '0',
    },
  })
  const ended = once(service, 'exit')
  cleanUp.defer(async () => {
    service.kill('SIGTERM')
    await ended
  })
  return service
}

interface Demo {
  readonly keys: DemoKeys
  readonly links: DemoLinks
  readonly publicUrl: string
}

async function seedDemo(url: string, publicUrl: string): Promise<Demo> {
  const database = openOwner(url)
  try {
    const { workspaceId } = await seed(database)
    const keys = await makeDemoKeys(database, workspaceId)
    return { keys, links: await makeDemoLinks(database, { workspaceId, publicUrl }), publicUrl }
  } finally {
    await database[Symbol.asyncDispose]()
  }
}

async function untilReady(service: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const isUp = await fetch(`${base}/livez`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    if (service.exitCode !== null)
      throw new OperatorError('The service stopped. Its output is above.')
    await sleep(100, null, { signal: stopping.signal })
  }
  throw new OperatorError(`No response from ${base}. The output of the service is above.`)
}

function welcome({ keys: { manager, reader, unscoped }, links, publicUrl }: Demo): string {
  return `
Muster is running. Open this link to sign in as the head of geotechnics (it works once):
  ${links.person}

Or as the director of projects, an administrator (it works once):
  ${links.administrator}

  The console    ${publicUrl}/
  The API        ${base}/about
  Documentation  ${base}/docs

Keys of the workspace Northwater, until the next start:
  manager (read and write)     ${manager}
  reader (read only, one day)  ${reader}
  unscoped (no scope, one day) ${unscoped}

Try:
  KEY=${reader}
  curl -s -H "Authorization: Bearer $KEY" "${base}/v1/risks?limit=3"

Press Ctrl-C to stop.`
}
