import { listRegister, viewScale } from '#domain/risks'

import type { Handlers } from './bind.ts'

export const risks: Handlers['risks'] = {
  list: (caller, { query }) => listRegister(caller, query),
  scale: () => viewScale(),
}
