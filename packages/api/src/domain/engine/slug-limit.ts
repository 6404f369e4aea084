import { limits } from '@muster/contract'

import { Failure } from './failure.ts'

const minuteMs = 60_000

/**
 * Limits how many slugs a workspace asks for in a minute, in this process. The answers show which
 * slugs exist, as the sign-in page does, and must not show more of them in the same time.
 */
export class SlugLimit {
  readonly #asked = new Map<string, number>()
  #until = 0

  take(workspaceId: string): void {
    const now = performance.now()
    if (now >= this.#until) {
      this.#asked.clear()
      this.#until = now + minuteMs
    }
    const count = (this.#asked.get(workspaceId) ?? 0) + 1
    if (count > limits.slugsPerMinute) throw new Failure('too_many_slugs')
    this.#asked.set(workspaceId, count)
  }
}
