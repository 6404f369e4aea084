import { limits, problems, type ProblemName } from '@muster/contract'

import { StorageError, type StorageMeaning } from '#storage/storage-error'

/** A failure the caller can understand and act on. Anything else that is thrown is our bug. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly problem: ProblemName
  /** Further members of the answer, such as `conflicting_id`. */
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

/** One place in the body that breaks a rule. */
export interface Flaw {
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

export function invalid(...errors: Flaw[]): Failure {
  const [first] = errors
  const place = first?.pointer || 'The body'
  const said = `${place} ${first?.detail}.`.replace('?.', '?')
  const more = errors.length > 1 ? ` And ${errors.length - 1} more.` : ''
  return new Failure('validation_failed', said + more, {
    errors: errors.slice(0, limits.errorsMax),
  })
}

const storageProblems: Record<StorageMeaning, ProblemName | null> = {
  lost_race: 'unavailable',
  unavailable: 'unavailable',
  bad_value: 'bad_json',
  in_doubt: 'commit_in_doubt',
  twin_running: 'idempotency_in_progress',
  key_reused: 'idempotency_key_reused',
  bug: null,
}

/** What was thrown, as a failure with a name; null when it is our bug. */
export function failureOf(thrown: unknown): Failure | null {
  if (thrown instanceof Failure) return thrown
  if (!(thrown instanceof StorageError)) return null
  const problem = storageProblems[thrown.meaning]
  return problem && new Failure(problem, undefined, { cause: thrown })
}
