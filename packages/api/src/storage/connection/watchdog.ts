/** Circuit breaker for the database: fails requests at once while the database does not answer. */

import { setImmediate as afterPoll } from 'node:timers/promises'

import { codeOf } from '#storage/values/sqlstate'

import { databaseTimeouts } from './timeouts.ts'

const checkIntervalMs = 100

/**
 * Circuit breaker for a database that hangs. Without it, every caller would wait for a timeout of
 * its own. The circuit opens when a probe on a separate connection gets no response: one slow
 * statement alone does not open it. Then waiting callers fail, and new ones fail immediately. A
 * successful probe closes it.
 */
export class DatabaseWatchdog {
  readonly #probeDatabase: () => Promise<void>
  readonly #silenceMs: number
  readonly #waiting = new Set<() => void>()
  readonly #timer: NodeJS.Timeout
  #respondedAt = 0
  #isUnresponsive = false
  #isProbing = false

  constructor(probeDatabase: () => Promise<void>, { silenceMs } = databaseTimeouts) {
    this.#probeDatabase = probeDatabase
    this.#silenceMs = silenceMs
    this.#timer = setInterval(() => void this.#check(), checkIntervalMs).unref()
  }

  get isUnresponsive(): boolean {
    return this.#isUnresponsive
  }

  /** Call after every response of the database, also an error. */
  recordResponse(): void {
    this.#respondedAt = performance.now()
  }

  /** Calls `giveUp` when the circuit opens. The returned function unregisters it. */
  wait(giveUp: () => void): () => void {
    if (this.#waiting.size === 0) this.recordResponse()
    this.#waiting.add(giveUp)
    return () => this.#waiting.delete(giveUp)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #check(): Promise<void> {
    const isSilent =
      this.#waiting.size > 0 && performance.now() - this.#respondedAt > this.#silenceMs
    if (this.#isProbing || !(isSilent || this.#isUnresponsive)) return
    this.#isProbing = true
    const probedAt = performance.now()
    try {
      await this.#probeDatabase()
      this.#closeCircuit()
    } catch (error) {
      // In a busy process, timers run before responses that have arrived are read.
      await afterPoll()
      if (codeOf(error) !== null || this.#respondedAt > probedAt) this.#closeCircuit()
      else this.#openCircuit()
    } finally {
      this.#isProbing = false
    }
  }

  #closeCircuit(): void {
    this.#isUnresponsive = false
    this.recordResponse()
  }

  #openCircuit(): void {
    this.#isUnresponsive = true
    for (const giveUp of this.#waiting) giveUp()
    this.#waiting.clear()
  }
}
