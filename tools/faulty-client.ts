import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

import { type ClientOptions, createClient } from '@muster/client'

/** What a proxy does with one request. `pass` sends it to the service. */
export type Fault = (from: IncomingMessage, to: ServerResponse, pass: () => void) => void

interface Faulty extends ClientOptions {
  readonly key: string
  /** The faults of the first requests, in order. */
  readonly faults: Fault[]
}

/** A client behind a proxy to the real service that injects faults. It records what it waits. */
export async function clientBehind({ base, faults, ...options }: Faulty) {
  const seen: IncomingMessage[] = []
  const server = createServer((from, to) => {
    seen.push(from)
    const pass = () => forward(base, from, to)
    const fault = faults.shift()
    if (fault) fault(from, to, pass)
    else pass()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  // The cast holds because the server listens on a port.
  const { port } = server.address() as AddressInfo
  const waited: number[] = []
  const wait = async (ms: number) => void waited.push(ms)
  const address = `http://127.0.0.1:${port}`
  const proxied = createClient({ wait, ...options, base: address })
  return { proxied, seen, waited, address }
}

/** Sends a request to the service. A function gets the end of the response instead of a client. */
export function forward(
  base: string,
  from: IncomingMessage,
  to: ServerResponse | (() => void),
): void {
  const { method, headers } = from
  const onward = request(new URL(from.url ?? '', base), { method, headers }, (reply) => {
    if (typeof to === 'function') reply.resume().on('end', to)
    else reply.pipe(to.writeHead(reply.statusCode ?? 500, reply.headers))
  })
  if (typeof to !== 'function') {
    // An aborted request ends in the service too.
    to.once('close', () => onward.destroy())
    onward.once('error', () => to.destroy())
  }
  from.pipe(onward)
}
