import assert from 'node:assert/strict'
import { once } from 'node:events'

import { type Running, startProcess } from '#test/process'

/** Several processes of the service on one database, any of which can be ended at any moment. */
export class Fleet {
  readonly #url: string
  readonly #env: Record<string, string>
  #running: Running[] = []

  private constructor(url: string, env: Record<string, string>) {
    this.#url = url
    this.#env = env
  }

  static async start(url: string, size: number, env: Record<string, string> = {}): Promise<Fleet> {
    const fleet = new Fleet(url, env)
    fleet.#running = await Promise.all(Array.from({ length: size }, () => startProcess(url, env)))
    return fleet
  }

  /** Where they are now. */
  get bases(): readonly string[] {
    return this.#running.map(({ base }) => base)
  }

  /** None has ended but those that were killed here. */
  assertAlive(): void {
    for (const { process } of this.#running) {
      assert.equal(process.exitCode ?? process.signalCode, null, 'the service never ends')
    }
  }

  /** Kills one as if its machine had lost power, and starts another in its place. */
  async kill(index: number): Promise<void> {
    const ended = this.#running[index]?.process
    if (!ended) return
    const gone = once(ended, 'exit')
    ended.kill('SIGKILL')
    await gone
    const next = await startProcess(this.#url, this.#env)
    this.#running = this.#running.with(index, next)
  }
}
