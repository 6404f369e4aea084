import { codeOf, type Meaning, meaningOf } from './sqlstate.ts'

/** Beside what a SQLSTATE can mean: what only the way a write is made can find out. */
export type StorageMeaning = Meaning | 'in_doubt' | 'twin_running' | 'key_reused'

/** Everything the database can throw at us arrives as this. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly meaning: StorageMeaning

  constructor(meaning: StorageMeaning, options?: ErrorOptions) {
    super(`The database: ${meaning}.`, options)
    this.meaning = meaning
  }

  /** Null when the server did not answer. */
  get code(): string | null {
    return this.cause instanceof StorageError ? this.cause.code : codeOf(this.cause)
  }

  /**
   * Whether to close the connection. One to a standby (25006, 55000) is closed too: the next one
   * may reach the new primary.
   */
  get isBroken(): boolean {
    return this.code === null || /^(08|57P|25006|55000|0A000)/.test(this.code)
  }
}

/** To be thrown in place of whatever the driver threw. */
export function explain(cause: unknown): StorageError {
  return cause instanceof StorageError
    ? cause
    : new StorageError(meaningOf(codeOf(cause)), { cause })
}
