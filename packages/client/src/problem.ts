import type { ProblemName } from '@muster/contract'

/** A problem document (RFC 9457): why the service refused a request. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ProblemName
  readonly detail: string
  readonly request_id: string
  readonly errors?: readonly FieldError[]
  /** Some problems have more members, such as `conflicting_id`. */
  readonly [extra: string]: unknown
}

/** One invalid place in the request body. */
export interface FieldError {
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

/** The service refused the request. Compare `code`. */
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

/** No response, or one that is not from the API. Whether the request took effect is unknown. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}
