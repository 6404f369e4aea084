import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { atEnd } from '@muster/testing/at-end'
import { freePort } from '@muster/testing/free-port'
import { startOwn } from '@muster/testing/own-server'

import { migrate } from '#storage/migration/migrate'

/** A PostgreSQL server for one test file, which may stop, kill and reconfigure it. */
export interface OwnPostgres {
  readonly url: string
  /** The data directory, with the configuration. */
  readonly folder: string
  /** The process id of the postmaster. It changes with each start. */
  readonly pid: () => number
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts and migrates a server with these settings, and removes it when the test file ends. */
export async function startOwnPostgres(settings: readonly string[] = []): Promise<OwnPostgres> {
  const place = { folder: join(ownFolder(), 'data'), port: await freePort(), settings }
  const server = await startIn(place)
  await migrate(server.url)
  return server
}

/** Starts a streaming standby from a copy of the stopped primary, which then continues. */
export async function startStandby(primary: OwnPostgres): Promise<OwnPostgres> {
  const folder = join(ownFolder(), 'data')
  await primary.stop()
  execFileSync('cp', ['-a', primary.folder, folder])
  await primary.start()
  writeFileSync(join(folder, 'standby.signal'), '', { mode: 0o666 })
  const { hostname, port } = new URL(primary.url)
  const settings = [`primary_conninfo=host=${hostname} port=${port} user=postgres`]
  return startIn({ folder, port: await freePort(), settings })
}

async function startIn(place: Parameters<typeof startOwn>[0]): Promise<OwnPostgres> {
  let started = await startOwn(place)
  atEnd(async () => started[Symbol.asyncDispose]())
  return {
    url: started.url,
    folder: place.folder,
    pid: () => started.pid,
    async start() {
      started = await startOwn(place)
    },
    stop: async () => started[Symbol.asyncDispose](),
  }
}

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-own-'))
  atEnd(async () => rmSync(folder, { recursive: true }))
  // As root, the server runs under an unprivileged user, who needs access to the folder.
  chmodSync(folder, 0o755)
  return folder
}
