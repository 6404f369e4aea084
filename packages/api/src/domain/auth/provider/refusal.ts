import { OidcError, type OidcReason } from '#domain/oidc/oidc-error'

/** Why a sign-in was refused. The audit log has it; the person who signs in does not see it. */
type RefusalReason =
  | OidcReason
  | 'unknown_flow'
  | 'no_provider'
  | 'provider_not_allowed'
  | 'unreadable_secret'
  | 'domain_not_allowed'
  | 'email_not_verified'
  | 'no_match'
  | 'already_bound'
  | 'identity_not_confirmed'
  | 'no_role'
  | 'access_list_full'
  | 'person_not_active'

/** Why a person who signed in at the provider has no recent sign-in. */
export type StepUpReason = 'no_auth_time' | 'auth_time_too_old'

/** A refused sign-in with the identity provider. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reason: RefusalReason
  /** The person who would have signed in, if the account is bound to one. */
  readonly userId: string | null

  constructor(reason: RefusalReason, userId: string | null = null) {
    super(reason)
    this.reason = reason
    this.userId = userId
  }
}

/** Converts an error of the protocol; null for an error that is not a refusal. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  return error instanceof OidcError ? new Refusal(error.reason) : null
}
