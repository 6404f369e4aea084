import { once } from 'node:events'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo, Server } from 'node:net'

import { atEnd } from '@muster/testing/at-end'
import type { Certificate } from '@muster/testing/certificate'

import { createEgress, type Egress, type EgressOptions, egressPlacesMax } from '#egress/egress'
import { FairShare } from '#http/edge/fair-share'

/** A server that counts its connections. */
interface Target {
  readonly port: number
  readonly connections: () => number
  readonly hosts: string[]
}

interface TargetOptions {
  readonly host: string
  readonly port?: number
  /** Without one, the server speaks plain HTTP. */
  readonly certificate?: Certificate
  readonly answer?: RequestListener
}

/** Starts a server that stops at the end of the test file. */
export async function startTarget(options: TargetOptions): Promise<Target> {
  const { host, port = 0, certificate } = options
  const { answer = (_request, response) => response.end('internal') } = options
  const hosts: string[] = []
  const listener: RequestListener = (request, response) => {
    hosts.push(request.headers.host ?? '')
    answer(request, response)
  }
  const server = certificate ? createHttps(certificate, listener) : createHttp(listener)
  const connections = await listen(server, { host, port })
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  // The cast holds because the server listens on a port.
  return { port: (server.address() as AddressInfo).port, connections, hosts }
}

/** Counts connections before any byte of TLS. */
async function listen(server: Server, address: { host: string; port: number }) {
  let count = 0
  server.on('connection', () => (count += 1))
  server.listen(address)
  await once(server, 'listening')
  return () => count
}

/** Egress with the places of a process, for one workspace unless the request names another. */
export function egressOf(options: EgressOptions) {
  const egress = createEgress(options, new FairShare(egressPlacesMax))
  return (url: string, init: Partial<Parameters<Egress>[1]> = {}) =>
    egress(url, { workspaceId: 'wsp_1', ...init })
}
