import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

import { atEnd } from '@muster/testing/at-end'

/** A TCP proxy in front of the database that injects network faults. */
export interface Proxy {
  /** The URL of the database through the proxy. */
  readonly url: string
  /** Stops forwarding without closing any connection, like a machine that hangs. */
  freeze(): void
  /** Forwards the held data and resumes. */
  thaw(): void
  /** Delays every response of the database. */
  delay(ms: number): void
  /** Drops the connection at the next COMMIT response: committed, but not acknowledged. */
  loseCommit(): void
  /** Drops all connections and refuses new ones. */
  refuse(): Promise<void>
  /** Accepts connections again. */
  accept(): Promise<void>
}

/** CommandComplete in the PostgreSQL protocol: type byte, length and command tag. */
const commitAnswer = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1')

export async function startProxy(databaseUrl: string): Promise<Proxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isFrozen = false
  let delayMs = 0
  let commitsToLose = 0

  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.setNoDelay()
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    if (isFrozen) socket.pause()
  }
  const passOn = (from: Socket, to: Socket, wait: () => number) => {
    from.on('data', (chunk) => {
      if (wait() === 0) to.write(chunk)
      else setTimeout(() => to.write(chunk), wait())
    })
    from.on('close', () => to.destroy())
  }
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    keep(near)
    keep(far)
    far.on('data', (chunk: Buffer) => {
      if (commitsToLose === 0 || !chunk.includes(commitAnswer)) return
      commitsToLose -= 1
      near.destroy()
    })
    passOn(near, far, () => 0)
    passOn(far, near, () => delayMs)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const refuse = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await listen(0)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  atEnd(async () => {
    if (server.listening) await refuse()
  })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    delay(ms) {
      delayMs = ms
    },
    loseCommit() {
      commitsToLose += 1
    },
    refuse,
    accept: () => listen(port),
  }
}
