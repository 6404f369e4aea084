import { viewChanges } from '#domain/time/changes'
import type { Handlers } from '#http/operations/handlers'

export const changes: Handlers['changes'] = {
  view: (caller, { query }) => viewChanges(caller, query),
}
