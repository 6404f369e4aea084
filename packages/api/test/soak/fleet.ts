import assert from 'node:assert/strict'
import { once } from 'node:events'

import { type Running, startProcess } from '#test/support/process'

/** Several service processes on one database. Each can be killed at any time. */
export class Fleet {
  readonly #url: string
  readonly #timeouts: 'longTimeouts' | 'product'
  #running: Running[] = []

  private constructor(url: string, timeouts: 'longTimeouts' | 'product') {
    this.#url = url
    this.#timeouts = timeouts
  }

  /** With the time limits of the product, where a fault must be detected; else with longer ones. */
  static async start(
    url: string,
    size: number,
    timeouts: 'longTimeouts' | 'product' = 'product',
  ): Promise<Fleet> {
    const fleet = new Fleet(url, timeouts)
    const one = () => fleet.#startProcess()
    fleet.#running = await Promise.all(Array.from({ length: size }, one))
    return fleet
  }

  #startProcess(): Promise<Running> {
    return startProcess(this.#url, {}, { timeouts: this.#timeouts })
  }

  /** The current base URLs. */
  get bases(): readonly string[] {
    return this.#running.map(({ base }) => base)
  }

  /** Asserts that no process has ended by itself. */
  assertAlive(): void {
    for (const { process } of this.#running) {
      assert.equal(process.exitCode ?? process.signalCode, null, 'the service keeps running')
    }
  }

  /** Kills one process with SIGKILL and starts another in its place. */
  async kill(index: number): Promise<void> {
    const ended = this.#running[index]?.process
    if (!ended) return
    const gone = once(ended, 'exit')
    ended.kill('SIGKILL')
    await gone
    const next = await this.#startProcess()
    this.#running = this.#running.with(index, next)
  }
}
