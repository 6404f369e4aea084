/** The documentation of one problem type (RFC 9457). */
export interface ProblemDefinition {
  readonly status: number
  readonly title: string
  /** The cause, for a reader who sees this problem for the first time. */
  readonly happened: string
  /** The next step for the caller. */
  readonly fix: string
  /** Seconds to wait, for problems that a retry can solve. */
  readonly retryAfter?: number
}
