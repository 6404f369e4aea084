import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

import type { FastifyInstance } from 'fastify'

/**
 * Node takes in one connection each time it goes round, and answering twenty pages is once round.
 * With so many ears it takes in so many; else those who connect would wait behind all the work, and
 * whoever asks whether we live with them.
 */
const earsMax = 64

/** So many connections wait at each ear until they are taken in. */
const backlog = 128

interface Address {
  readonly host: string
  readonly port: number
}

/** All that listens for one server. */
export class Ears {
  readonly #app: FastifyInstance
  readonly #others: Server[] = []

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  async open({ host, port }: Address): Promise<void> {
    await refuseTaken({ host, port })
    const way = { host, backlog, reusePort: true }
    const first = { ...way, port }
    const url = await this.#app.listen(first)
    const { server } = this.#app
    const opened = Array.from({ length: earsMax - 1 }, () => {
      const ear = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        server.emit('connection', socket),
      )
      this.#others.push(ear)
      return once(ear.listen({ ...way, port: Number(new URL(url).port) }), 'listening')
    })
    await Promise.all(opened)
  }

  /** Lets nobody in any more, and waits until all who are in have left. */
  async close(): Promise<void> {
    const { server } = this.#app
    // A connection that was sending when it was told to leave is idle when it has sent.
    const idle = setInterval(() => server.closeIdleConnections(), 100)
    const closing = this.#others.map(async (ear) => {
      const closed = once(ear, 'close')
      ear.close()
      await closed
    })
    await Promise.all([...closing, this.#app.close()])
    clearInterval(idle)
  }
}

/** Several may listen at an address that is shared, so whether it is taken must be asked. */
async function refuseTaken({ host, port }: Address): Promise<void> {
  const server = createServer().listen({ host, port })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
