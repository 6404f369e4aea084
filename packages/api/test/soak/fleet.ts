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

  /** Ends one process with SIGKILL, or as the signal asks, and starts another in its place. */
  async kill(index: number, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const ended = this.#running[index]
    if (!ended) return
    await end(ended, signal)
    const next = await this.#startProcess()
    this.#running = this.#running.with(index, next)
  }

  /** Ends all processes with SIGTERM: each has finished its requests. */
  async stop(): Promise<void> {
    await Promise.all(this.#running.map((each) => end(each, 'SIGTERM')))
    this.#running = []
  }
}

async function end({ process, log }: Running, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const gone = once(process, 'exit')
  process.kill(signal)
  const [code] = await gone
  if (signal === 'SIGTERM') assert.equal(code, 0, log().slice(-1000))
}
