/** Standard output, written in batches. */

import { destination } from 'pino'

/** Beyond this, lines are dropped: a reader that stalls must not stop the service. */
const waitingBytesMax = 4 * 1024 * 1024

/** Lines are written together after this time, or when they are this long. */
const batchMs = 50
const batchLengthMax = 64 * 1024

/**
 * The output of all logs of the process. Lines of the access log wait for others for a moment, and
 * are written before any other line: an error follows the requests that preceded it. The last ones
 * are written when the process ends; a process that is killed loses those of the last 50 ms.
 */
class LogOutput {
  readonly #stream: ReturnType<typeof destination>
  #batch = ''
  #timer: NodeJS.Timeout | null = null
  #dropped = 0

  constructor() {
    // Added before pino's, which writes what the stream still has.
    process.once('exit', () => this.#flush())
    this.#stream = destination({ dest: 1, sync: false, maxLength: waitingBytesMax })
    this.#stream.on('drop', (lines: string) => (this.#dropped += lines.split('\n').length - 1))
  }

  /** How many lines were dropped. */
  get dropped(): number {
    return this.#dropped
  }

  /** Adds a line of the access log to the batch. */
  append(line: string): void {
    this.#batch += line
    if (this.#batch.length >= batchLengthMax) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), batchMs)
  }

  /** Writes a line at once, as pino does. */
  write(line: string): void {
    this.#flush()
    this.#stream.write(line)
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#batch === '') return
    const batch = this.#batch
    this.#batch = ''
    this.#stream.write(batch)
  }
}

export type { LogOutput }

let output: LogOutput | null = null

/** One for the process, as its standard output. */
export const openLogOutput = (): LogOutput => (output ??= new LogOutput())
