import {
  addKey,
  listKeys,
  revokeKey,
  revokeSelf,
  rotateKey,
  changeKey,
  viewKey,
} from '#domain/auth/keys'
import { whoami } from '#domain/auth/whoami'
import type { Handlers } from '#http/operations/handlers'

export const keys: Handlers['keys'] = {
  list: (caller, { query }) => listKeys(caller, query),
  create: (caller, { body }) => addKey(caller, body),
  view: (caller, { params }) => viewKey(caller, params.key_id),
  update: (caller, { params, body }) => changeKey(caller, params.key_id, body),
  rotate: (caller, { params, body }) => rotateKey(caller, params.key_id, body),
  revoke: (caller, { params }) => revokeKey(caller, params.key_id),
  revoke_self: (caller) => revokeSelf(caller),
  whoami: (caller) => whoami(caller),
}
