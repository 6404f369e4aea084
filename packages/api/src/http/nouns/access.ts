import { listRoles, replaceAccess, viewAccess } from '#domain/auth/access'
import type { Handlers } from '#http/operations/handlers'

export const access: Handlers['access'] = {
  roles: () => listRoles(),
  view: (caller) => viewAccess(caller),
  replace: (caller, { body }) => replaceAccess(caller, body),
}
