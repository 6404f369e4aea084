import { setImmediate as afterReading } from 'node:timers/promises'

import { codeOf } from './sqlstate.ts'

const lookMs = 100
/** A database that said nothing for so long, though somebody waits for it, is asked for a sign. */
const quietMs = 500
/**
 * It must give the sign within this time. A disk that is busy can hold everything up for half a
 * second; and with all three together whoever waits is told within two.
 */
export const signMs = 1000

/**
 * Whether the database answers at all. One that is frozen does not refuse; it says nothing, and
 * everyone would wait for a time-out of their own, one after the other. So whoever waits is told
 * when there is no hope, which is when a connection of its own gets no answer either: a statement
 * that takes long alone is no sign of trouble. From then on nobody waits, until it has answered.
 */
export class Pulse {
  readonly #askForSign: () => Promise<void>
  readonly #waiting = new Set<() => void>()
  readonly #timer: NodeJS.Timeout
  #heardAt = 0
  #isSilent = false
  #isAsking = false

  constructor(askForSign: () => Promise<void>) {
    this.#askForSign = askForSign
    this.#timer = setInterval(() => void this.#look(), lookMs).unref()
  }

  get isSilent(): boolean {
    return this.#isSilent
  }

  /** The database said something, whatever it was. */
  hear(): void {
    this.#heardAt = performance.now()
  }

  /** Calls `giveUp` when there is no hope, until it is told that nobody waits any more. */
  wait(giveUp: () => void): () => void {
    if (this.#waiting.size === 0) this.hear()
    this.#waiting.add(giveUp)
    return () => this.#waiting.delete(giveUp)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    const isQuiet = this.#waiting.size > 0 && performance.now() - this.#heardAt > quietMs
    if (this.#isAsking || !(isQuiet || this.#isSilent)) return
    this.#isAsking = true
    const askedAt = performance.now()
    try {
      await this.#askForSign()
      this.#recover()
    } catch (error) {
      // A process that was busy finds its own time-outs first, and only then what has arrived.
      await afterReading()
      if (codeOf(error) !== null || this.#heardAt > askedAt) this.#recover()
      else this.#giveUp()
    } finally {
      this.#isAsking = false
    }
  }

  #recover(): void {
    this.#isSilent = false
    this.hear()
  }

  #giveUp(): void {
    this.#isSilent = true
    for (const giveUp of this.#waiting) giveUp()
    this.#waiting.clear()
  }
}
