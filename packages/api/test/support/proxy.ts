import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

import { atEnd } from './at-end.ts'

/** What stands between the service and its database, and can make it as bad as it may become. */
export interface Proxy {
  /** Where the database seems to be. */
  readonly url: string
  /** Nothing passes any more, and nobody is told: so does a machine that has stopped. */
  freeze(): void
  /** What was held back passes, and all that follows. */
  thaw(): void
  /** Every answer comes so much later. */
  delay(ms: number): void
  /** The connection is lost at the next answer that says COMMIT: it was done, and nobody hears. */
  loseCommit(): void
  /** Nobody is there: all connections are lost, and no new ones can be made. */
  refuse(): Promise<void>
  accept(): Promise<void>
}

/** CommandComplete, as PostgreSQL puts it on the wire: a letter, a length, and the tag. */
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
