import { findEverything } from '#domain/search/search'
import type { Handlers } from '#http/operations/handlers'

export const search: Handlers['search'] = {
  find: (caller, { query }) => findEverything(caller, query),
}
