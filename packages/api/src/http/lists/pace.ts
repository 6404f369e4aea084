import { setImmediate as nextTurn } from 'node:timers/promises'

const sliceBytes = 256 * 1024

/** Serializes large responses in slices: after each one, other requests have their turn. */
export class Pace {
  #bytes = 0

  /** Call it after each part, with its length. */
  async step(bytes: number): Promise<void> {
    this.#bytes += bytes
    if (this.#bytes < sliceBytes) return
    this.#bytes = 0
    await nextTurn()
  }
}
