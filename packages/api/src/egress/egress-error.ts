/** Why a request did not get a response. */
export type EgressReason =
  | 'invalid_url'
  | 'refused_address'
  | 'unknown_host'
  | 'connection_failed'
  | 'untrusted_certificate'
  | 'timed_out'
  | 'response_too_large'
  | 'invalid_response'
  | 'busy'

/**
 * An outgoing request that failed. The message names no resolved address: it would disclose what
 * the name server of the operator knows about internal hosts.
 */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly reason: EgressReason

  constructor(reason: EgressReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}
