import { codeOf, type Meaning, meaningOf } from './sqlstate.ts'

/** Meanings of SQLSTATEs, and those that only the write path can detect. */
export type StorageMeaning =
  | Meaning
  | 'in_doubt'
  | 'duplicate_running'
  | 'key_reused'
  | 'out_of_view'

/** Every database error is converted to this class. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly meaning: StorageMeaning

  constructor(meaning: StorageMeaning, options?: ErrorOptions) {
    super(`Database error: ${meaning}.`, options)
    this.meaning = meaning
  }

  /** The SQLSTATE; null when the server did not respond. */
  get code(): string | null {
    return this.cause instanceof StorageError ? this.cause.code : codeOf(this.cause)
  }

  /** The message of the server or the driver. */
  get reason(): string {
    if (this.cause instanceof StorageError) return this.cause.reason
    return this.cause instanceof Error ? this.cause.message : this.message
  }

  /**
   * Whether to close the connection. Also true for a connection to a standby (25006, 55000): the
   * next one may reach the new primary.
   */
  get isBroken(): boolean {
    return this.code === null || /^(08|57P|25006|55000|0A000)/.test(this.code)
  }
}

/** Wraps an error of the driver. */
export function toStorageError(cause: unknown): StorageError {
  return cause instanceof StorageError
    ? cause
    : new StorageError(meaningOf(codeOf(cause)), { cause })
}

/** Other migrations than those of this release were applied: none leads from there to here. */
export class SchemaMismatchError extends Error {
  override readonly name = 'SchemaMismatchError'
}
