import { listAudit } from '#domain/auth/audit'
import type { Handlers } from '#http/operations/handlers'

export const audit: Handlers['audit'] = {
  list: (caller, { query }) => listAudit(caller, query),
}
