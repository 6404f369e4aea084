import { limits, problems, type ProblemName } from '@muster/contract'

import { StorageError, type StorageMeaning } from '#storage/values/storage-error'

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

export const invalid = (...errors: InvalidField[]): Failure =>
  invalidFields(errors, { count: errors.length, isExact: true })

interface ErrorCount {
  readonly count: number
  /** False if there may be more errors than `count`. */
  readonly isExact: boolean
}

/** A failure that lists the first errors and states how many there are. */
export function invalidFields(
  errors: readonly InvalidField[],
  { count, isExact }: ErrorCount,
): Failure {
  const [first] = errors
  const place = first?.pointer || 'The body'
  const message = `${place} ${first?.detail}.`.replace('?.', '?')
  const others = `${isExact ? '' : 'at least '}${count - 1} more`
  const isCut = count > limits.errorsMax || !isExact
  const listed = isCut ? `; the first ${limits.errorsMax} are listed` : ''
  const more = count > 1 ? ` And ${others}${listed}.` : ''
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
  out_of_view: 'not_found',
  bug: null,
}

/** Converts a thrown error to a failure; null if it is a bug of the service. */
export function failureOf(thrown: unknown): Failure | null {
  if (thrown instanceof Failure) return thrown
  if (!(thrown instanceof StorageError)) return null
  const problem = storageProblems[thrown.meaning]
  return problem && new Failure(problem, undefined, { cause: thrown })
}
