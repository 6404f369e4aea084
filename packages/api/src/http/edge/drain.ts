import type { ServerResponse } from 'node:http'

/**
 * Connection draining during a graceful shutdown. After `begin`, every response whose headers are
 * not sent yet carries `Connection: close`, so that clients reconnect to another process.
 */
export class Drain {
  readonly #responses = new Set<ServerResponse>()
  readonly #controller = new AbortController()

  get hasBegun(): boolean {
    return this.signal.aborted
  }

  /** Aborted when the shutdown begins. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  watch(response: ServerResponse): void {
    if (this.hasBegun) response.shouldKeepAlive = false
    this.#responses.add(response)
    response.once('close', () => this.#responses.delete(response))
  }

  begin(): void {
    for (const response of this.#responses)
      if (!response.headersSent) response.shouldKeepAlive = false
    this.#controller.abort()
  }
}
