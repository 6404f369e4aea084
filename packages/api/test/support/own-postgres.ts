import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { migrate } from '#storage/migrate'

import { atEnd } from './at-end.ts'
import { freePort } from './free-port.ts'

interface Started extends AsyncDisposable {
  readonly url: string
  readonly pid: number
}

interface Place {
  readonly folder: string
  readonly port: number
  readonly settings: readonly string[]
}

// It belongs to another project, which is built on this one.
const { href } = new URL('../../../tools/postgres.ts', import.meta.url)
const { startOwn } = (await import(href)) as { startOwn: (place: Place) => Promise<Started> }

/** A PostgreSQL that a test may do anything to. */
export interface OwnPostgres {
  readonly url: string
  /** Where its data and its configuration are. */
  readonly folder: string
  /** Of the postmaster, which is another after each start. */
  readonly pid: () => number
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Running and migrated, with these settings; gone when the test file has ended. */
export async function startOwnPostgres(settings: readonly string[] = []): Promise<OwnPostgres> {
  const place = { folder: join(ownFolder(), 'data'), port: await freePort(), settings }
  let started = await startOwn(place)
  atEnd(async () => started[Symbol.asyncDispose]())
  await migrate(started.url)
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
  // Whoever runs this as root lends the server to somebody else, who must get there.
  chmodSync(folder, 0o755)
  return folder
}
