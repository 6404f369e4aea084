import type { ProblemName } from '@muster/contract'

/** Why a request failed, as the service told it (RFC 9457). */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ProblemName
  readonly detail: string
  readonly request_id: string
  readonly errors?: readonly Flaw[]
  /** Some problems tell more, such as `conflicting_id`. */
  readonly [extra: string]: unknown
}

/** One place in the body that breaks a rule. */
export interface Flaw {
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

/** The service understood the request and refused it. Test for `code`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }

  get code(): ProblemName {
    return this.problem.code
  }

  get status(): number {
    return this.problem.status
  }
}

/** Nobody answered, or not in a way that we understand. Whether anything was done is not known. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}
