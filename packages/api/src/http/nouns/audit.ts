import { listAudit } from '#domain/auth/audit'
import type { Handlers } from '#http/bind'

export const audit: Handlers['audit'] = {
  list: (caller, { query }) => listAudit(caller, query),
}
