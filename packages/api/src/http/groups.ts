import { listGroups } from '#domain/groups'

import type { Handlers } from './bind.ts'

export const groups: Handlers['groups'] = {
  list: (caller, { query }) => listGroups(caller, query),
}
