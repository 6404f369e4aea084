import { confirmIdentity } from '#domain/auth/identity-holds'
import {
  checkSignIn,
  removeSignIn,
  replaceSignIn,
  testSignIn,
  viewSignIn,
} from '#domain/auth/sign-in'
import type { Handlers } from '#http/operations/handlers'

export const sign_in: Handlers['sign_in'] = {
  view: (caller) => viewSignIn(caller),
  replace: (caller, { body }) => replaceSignIn(caller, body),
  remove: (caller) => removeSignIn(caller),
  test: (caller) => testSignIn(caller),
  check: (caller, { body }) => checkSignIn(caller, body.issuer),
  confirm: (caller, { params }) => confirmIdentity(caller, params.user_id),
}
