import { setImmediate as nextTurn } from 'node:timers/promises'

const sliceMs = 5

/** Divides work into time slices: after each one, other requests have their turn. */
export class TimeSlice {
  #began = performance.now()

  /** Call it after each part of the work, such as a row. */
  async step(): Promise<void> {
    if (performance.now() - this.#began >= sliceMs) await this.end()
  }

  /** Ends the turn of the event loop, and starts another slice. */
  async end(): Promise<void> {
    await nextTurn()
    this.#began = performance.now()
  }
}
