import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'

import { EgressError } from '#egress/egress-error'

/** Why a sign-in with the identity provider failed. Only administrators see it. */
export type OidcReason =
  | 'provider_unreachable'
  | 'provider_misconfigured'
  | 'provider_refused'
  | 'code_refused'
  | 'invalid_response'

/** A failed exchange with the identity provider. The message is for an administrator. */
export class OidcError extends Error {
  override readonly name = 'OidcError'
  readonly reason: OidcReason

  constructor(reason: OidcReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** Converts an error of openid-client or of egress. Other errors are bugs and stay as they are. */
export function oidcErrorOf(error: unknown): unknown {
  const egress = causesOf(error).find((each) => each instanceof EgressError)
  if (egress) return new OidcError('provider_unreachable', egress.message, error)
  if (error instanceof AuthorizationResponseError) {
    return new OidcError('provider_refused', `The provider answered ${shown(error.error)}.`, error)
  }
  if (error instanceof ResponseBodyError) {
    const message = `The provider refused the code or the client: ${shown(error.error)}.`
    return new OidcError('code_refused', message, error)
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    return new OidcError('code_refused', 'The provider refused the client or its secret.', error)
  }
  if (error instanceof ClientError) {
    return new OidcError('invalid_response', `The response is not valid: ${error.message}.`, error)
  }
  // openid-client throws these for a response that lacks what it needs.
  if (error instanceof TypeError && 'code' in error) {
    return new OidcError('invalid_response', `The response is not valid: ${error.message}.`, error)
  }
  return error
}

/** Error codes of OAuth are short; any other text of the provider is not repeated. */
const shown = (code: string) => (/^[a-z_]{1,60}$/.test(code) ? code : 'with an error')

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let each = error; each instanceof Error && causes.length < 5; each = each.cause) {
    causes.push(each)
  }
  return causes
}
