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
  override readonly name: string = 'ProblemError'
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

/**
 * A position of the log of changes is no longer valid (410 `position_lost`), so a copy that was
 * built with it can be wrong.
 */
export class PositionLostError extends ProblemError {
  override readonly name = 'PositionLostError'

  /** `numbers_lost`, `unknown_term` or `view_changed`. */
  get reason(): string {
    return String(this.problem['reason'])
  }

  /** The position where to continue once the copy is repaired; null if there is none. */
  get resumeAfter(): string | null {
    const position = this.problem['resume_after']
    return typeof position === 'string' ? position : null
  }

  /** The number of that position: what the copy holds with a higher `version` may not exist. */
  get resumeSeq(): number | null {
    const seq = this.problem['resume_seq']
    return typeof seq === 'number' ? seq : null
  }
}

/** No response, or one that is not from the API. Whether the request took effect is unknown. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}
