/** What there is to say about one way of failing. */
export interface Problem {
  readonly status: number
  readonly title: string
  /** What happened, for someone who has never met this answer before. */
  readonly happened: string
  /** What to do about it. */
  readonly fix: string
  /** Seconds to wait before trying again, where trying again is the advice. */
  readonly retryAfter?: number
}
