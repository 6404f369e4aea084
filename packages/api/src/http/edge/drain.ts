import type { ServerResponse } from 'node:http'

/**
 * Whether the process is about to end. From then on every answer that has not begun says that its
 * connection ends with it, so that clients go elsewhere by themselves.
 */
export class Drain {
  readonly #answers = new Set<ServerResponse>()
  #hasBegun = false

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  watch(response: ServerResponse): void {
    if (this.#hasBegun) response.shouldKeepAlive = false
    this.#answers.add(response)
    response.once('close', () => this.#answers.delete(response))
  }

  begin(): void {
    this.#hasBegun = true
    for (const answer of this.#answers) if (!answer.headersSent) answer.shouldKeepAlive = false
  }
}
