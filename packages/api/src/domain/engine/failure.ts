import { limits, problems, type ProblemName } from '@muster/contract'

import { StorageError, type StorageMeaning } from '#storage/engine/storage-error'

/** An error that the caller can act on. Any other thrown error is a bug of the service. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly problem: ProblemName
  /** Extension members of the problem response, such as `conflicting_id`. */
  readonly extras: Readonly<Record<string, unknown>>

  constructor(
    problem: ProblemName,
    detail?: string,
    { cause, ...extras }: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail ?? problems[problem].happened, { cause })
    this.problem = problem
    this.extras = extras
  }
}

/** A validation error at one place of the body. */
export interface InvalidField {
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

export function invalid(...errors: InvalidField[]): Failure {
  const [first] = errors
  const place = first?.pointer || 'The body'
  const message = `${place} ${first?.detail}.`.replace('?.', '?')
  const more = errors.length > 1 ? ` And ${errors.length - 1} more.` : ''
  return new Failure('validation_failed', message + more, {
    errors: errors.slice(0, limits.errorsMax),
  })
}

const storageProblems: Record<StorageMeaning, ProblemName | null> = {
  lost_race: 'unavailable',
  unavailable: 'unavailable',
  bad_value: 'bad_json',
  in_doubt: 'commit_in_doubt',
  duplicate_running: 'idempotency_in_progress',
  key_reused: 'idempotency_key_reused',
  bug: null,
}

/** Converts a thrown error to a failure; null if it is a bug of the service. */
export function failureOf(thrown: unknown): Failure | null {
  if (thrown instanceof Failure) return thrown
  if (!(thrown instanceof StorageError)) return null
  const problem = storageProblems[thrown.meaning]
  return problem && new Failure(problem, undefined, { cause: thrown })
}
