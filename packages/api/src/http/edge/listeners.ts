import { once } from 'node:events'
import { createServer, type ListenOptions, type Server } from 'node:net'

import type { FastifyInstance } from 'fastify'

/**
 * libuv accepts one connection per listener per turn of the event loop, and a turn can take as long
 * as twenty responses. Several listeners keep new connections and health checks fast under load.
 */
const listenerCount = 64

/** Connections that wait at each listener until they are accepted. */
const backlog = 128

interface Address {
  readonly host: string
  readonly port: number
}

/**
 * The listeners of one server, which share its port (SO_REUSEPORT). Only Linux distributes
 * connections between them. Elsewhere, and on a kernel without the option, there is one.
 */
export class Listeners {
  readonly #app: FastifyInstance
  readonly #additional: Server[] = []

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  async open({ host, port }: Address): Promise<void> {
    await checkPortIsFree({ host, port })
    if (!(await isReusePortSupported(host))) {
      this.#app.log.info('One listener: this system does not support reusePort.')
      await this.#app.listen({ host, port, backlog: backlog * listenerCount })
      return
    }
    const options = { host, backlog, reusePort: true }
    const url = await this.#app.listen({ ...options, port })
    const { server } = this.#app
    const opened = Array.from({ length: listenerCount - 1 }, () => {
      const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        server.emit('connection', socket),
      )
      this.#additional.push(listener)
      return once(listener.listen({ ...options, port: Number(new URL(url).port) }), 'listening')
    })
    await Promise.all(opened)
  }

  /** Stops accepting connections, and waits until all open ones are closed. */
  async close(): Promise<void> {
    const { server } = this.#app
    // A connection that was busy at first becomes idle later, so idle ones are closed repeatedly.
    const idleTimer = setInterval(() => server.closeIdleConnections(), 100)
    const closing = this.#additional.map(async (listener) => {
      const closed = once(listener, 'close')
      listener.close()
      await closed
    })
    await Promise.all([...closing, this.#app.close()])
    clearInterval(idleTimer)
  }
}

/** Throws EADDRINUSE for a port in use: with `reusePort`, listening on it would succeed. */
async function checkPortIsFree({ host, port }: Address): Promise<void> {
  await tryToListen({ host, port })
}

async function isReusePortSupported(host: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  try {
    await tryToListen({ host, port: 0, reusePort: true })
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOTSUP' || code === 'EINVAL') return false
    throw error
  }
}

/** Listens for a moment, or throws the error of the system. */
async function tryToListen(options: ListenOptions): Promise<void> {
  const server = createServer().listen(options)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
