import { listOpenIssues } from '#domain/issues'

import type { Handlers } from './bind.ts'

export const issues: Handlers['issues'] = {
  list: (caller, { query }) => listOpenIssues(caller, query),
}
