import { listPasskeys, removePasskey, renamePasskey } from '#domain/auth/passkeys'
import type { Handlers } from '#http/operations/handlers'

export const passkeys: Handlers['passkeys'] = {
  list: (caller) => listPasskeys(caller),
  rename: (caller, { params, body }) => renamePasskey(caller, params.passkey_id, body.name),
  remove: (caller, { params }) => removePasskey(caller, params.passkey_id),
}
