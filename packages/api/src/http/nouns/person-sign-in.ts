import {
  removeIdentity,
  removePasskeyOfPerson,
  viewPersonSignIn,
} from '#domain/auth/person-sign-in'
import type { Handlers } from '#http/operations/handlers'

export const person_sign_in: Handlers['person_sign_in'] = {
  view: (caller, { params }) => viewPersonSignIn(caller, params.user_id),
  remove_identity: (caller, { params }) => removeIdentity(caller, params.user_id),
  remove_passkey: (caller, { params }) =>
    removePasskeyOfPerson(caller, params.user_id, params.passkey_id),
}
