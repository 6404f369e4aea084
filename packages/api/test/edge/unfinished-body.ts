import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { atEnd } from '@muster/testing/at-end'

interface Upload {
  readonly path?: string
  readonly token?: string | null
  /** The length of the body; null for a chunked one. */
  readonly length: number | null
  /** What is sent of the body. */
  readonly bytes?: Buffer | string
  readonly localAddress?: string
}

/** A request on its own connection, whose body is not complete. */
export interface UnfinishedBody {
  readonly socket: Socket
  /** The responses so far. */
  readonly text: () => string
  readonly status: () => number | null
}

/** Sends the headers of a request and a part of its body. The client never closes its side. */
export function sendUnfinished(base: string, upload: Upload): UnfinishedBody {
  const { path = '/v1/personnel/batch', token = null, length, bytes = '' } = upload
  const { localAddress = '127.0.0.1' } = upload
  const { hostname, port } = new URL(base)
  const socket = connect({ host: hostname, port: Number(port), localAddress, allowHalfOpen: true })
  atEnd(async () => socket.destroy())
  let text = ''
  socket.setEncoding('utf8')
  socket.on('error', () => {})
  socket.on('data', (chunk: string) => (text += chunk))
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: x',
    'content-type: application/json',
    // The console sends these headers, and sign-ins require them.
    'sec-fetch-site: same-origin',
    'muster-console: 1',
    ...(token === null ? [] : [`authorization: Bearer ${token}`]),
    length === null ? 'transfer-encoding: chunked' : `content-length: ${length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(bytes)
  const status = () => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0) || null
  return { socket, text: () => text, status }
}

/** Waits until a condition holds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries >= 600) throw new Error(`not in time: ${what}`)
    await sleep(25)
  }
}
