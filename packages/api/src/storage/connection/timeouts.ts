/** Time limits of the database, in milliseconds. Tests raise the ones they do not test. */
export interface DatabaseTimeouts {
  /** For a free or a new connection. */
  readonly connectMs: number
  /** For one statement, on the server. */
  readonly statementMs: number
  /** For one statement, on the client. Longer, so that the server gives up first. */
  readonly queryMs: number
  readonly lockMs: number
  readonly idleInTransactionMs: number
  /** For all statements of a write together: less than the time limit of a request. */
  readonly flushMs: number
  /** After this time without a response, while callers wait, the watchdog probes the database. */
  readonly silenceMs: number
  /**
   * For a probe. A busy disk can delay every response by 500 ms. With the check interval and the
   * silence, waiting callers fail within 2 seconds.
   */
  readonly probeMs: number
}

export const databaseTimeouts: DatabaseTimeouts = {
  connectMs: 1500,
  statementMs: 2500,
  queryMs: 3000,
  lockMs: 2000,
  idleInTransactionMs: 5000,
  flushMs: 6000,
  silenceMs: 500,
  probeMs: 1000,
}
