import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { longTimeouts } from '@muster/api/long-timeouts'
import { startService } from '@muster/api/service'
import { atEnd, atEndOfProcess } from '@muster/testing/at-end'
import { freePort } from '@muster/testing/free-port'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The addresses of a service. Both have the same port. */
export interface Addresses {
  readonly base: string
  /** The origin of sign-in links and passkeys: browsers need a host name. */
  readonly publicUrl: string
}

/** The current time instead of the database's; null for the database's. */
export type Clock = () => Date | null

/** The server of the file that runs now. */
let current: Server | null = null
let listening: Promise<number> | null = null

/**
 * The port of all test files of this process: at the same address the browser has the files of the
 * console in its cache. One listener keeps it, because a port that is free between two files can be
 * taken by another process.
 */
function sharedPort(): Promise<number> {
  listening ??= (async () => {
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      if (current) current.emit('connection', socket)
      else socket.destroy()
    })
    await once(listener.listen(0, '127.0.0.1'), 'listening')
    atEndOfProcess(async () => listener.close())
    // The cast holds because it listens on a port.
    return (listener.address() as AddressInfo).port
  })()
  return listening
}

/**
 * Starts a service in this process, which stops after the test file. It is compiled and optimised
 * once for many files. `clock` replaces the
 * time of the database.
 */
export async function startSharedService(url: string, clock: Clock): Promise<Addresses> {
  const port = await sharedPort()
  const publicUrl = `http://localhost:${port}`
  const service = await startService({
    url,
    logLevel: null,
    sweepSeconds: 60,
    clock,
    publicUrl,
    secretsKeys: [randomBytes(32).toString('base64')],
    timeouts: longTimeouts,
  })
  await service.listen({ host: '127.0.0.1', port: 0 })
  current = service.app.server
  atEnd(async () => {
    current = null
    await service[Symbol.asyncDispose]()
  })
  return { base: `http://127.0.0.1:${port}`, publicUrl }
}

/** Settings of the process, beside those of every test. */
export type Settings = Readonly<Record<string, string>>

/** Gives the service ten times its time limits, so that a stalled machine causes no 503. */
const withLongTimeouts = ['--import', './packages/api/test/support/long-timeouts-process.ts']

/** Starts the production process with the built console, which stops after the test file. */
export async function startServiceProcess(
  url: string,
  settings: Settings = {},
): Promise<Addresses> {
  // The service must know its port, because links contain it.
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  const child = spawn(process.execPath, [...withLongTimeouts, 'packages/api/src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: url,
      PORT: String(port),
      SECRETS_KEY: randomBytes(32).toString('base64'),
      ...settings,
      PUBLIC_URL: publicUrl,
    },
  })
  atEnd(async () => child.kill('SIGTERM'))
  return { base: await baseOf(child), publicUrl }
}

async function baseOf(child: ChildProcess): Promise<string> {
  let log = ''
  child.stdout?.on('data', (data: Buffer) => (log += data.toString()))
  for (let tries = 0; tries < 600; tries++) {
    const base = /listening at (http:[^"]+)/.exec(log)?.[1]
    if (base) return base
    await sleep(100)
  }
  throw new Error(`The service did not start: ${log}`)
}
