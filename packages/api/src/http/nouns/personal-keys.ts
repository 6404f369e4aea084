import { addPersonalKey, listPersonalKeys, revokePersonalKey } from '#domain/auth/personal-keys'
import type { Handlers } from '#http/operations/handlers'

export const personal_keys: Handlers['personal_keys'] = {
  list: (caller) => listPersonalKeys(caller),
  create: (caller, { body }) => addPersonalKey(caller, body),
  revoke: (caller, { params }) => revokePersonalKey(caller, params.key_id),
}
