import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

import type { Registry } from 'prom-client'

import { securityHeaders } from '#http/response/headers'

/** Enough for a few scrapers. */
const connectionsMax = 16

/**
 * Serves `/metrics` on a port of its own. The metrics need no key, so they are not on the port
 * that clients reach, and a busy API does not delay them.
 */
export class MetricsServer {
  readonly #server: Server

  constructor(registry: Registry) {
    const timeouts = { headersTimeout: 5000, requestTimeout: 5000, keepAliveTimeout: 72_000 }
    this.#server = createServer(
      { ...timeouts, connectionsCheckingInterval: 1000, maxHeaderSize: 8192 },
      (request, response) => void respond(registry, request, response),
    )
    this.#server.maxConnections = connectionsMax
  }

  /** Returns the URL of the metrics. */
  async open({ host, port }: { host: string; port: number }): Promise<string> {
    await once(this.#server.listen({ host, port }), 'listening')
    const address = this.#server.address()
    const opened = typeof address === 'object' && address !== null ? address.port : port
    return `http://${host.includes(':') ? `[${host}]` : host}:${opened}/metrics`
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }
}

async function respond(
  registry: Registry,
  { method = '', url }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, text: string) =>
    response
      .writeHead(status, {
        ...securityHeaders,
        'content-type': registry.contentType,
        'content-length': Buffer.byteLength(text),
        'cache-control': 'no-store',
      })
      .end(text)
  if (url !== '/metrics' || !['GET', 'HEAD'].includes(method)) {
    send(404, '')
    return
  }
  const text = await registry.metrics().catch(() => null)
  send(text === null ? 500 : 200, text ?? '')
}
