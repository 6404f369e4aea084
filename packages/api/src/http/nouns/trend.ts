import { viewTrend } from '#domain/time/trend'
import type { Handlers } from '#http/operations/handlers'

export const trend: Handlers['trend'] = {
  view: (caller, { query }) => viewTrend(caller, query),
}
