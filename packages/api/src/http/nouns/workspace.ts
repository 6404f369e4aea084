import { changeWorkspace, viewWorkspace } from '#domain/workspace'

import type { Handlers } from './bind.ts'

export const workspace: Handlers['workspace'] = {
  view: (caller) => viewWorkspace(caller),
  update: (caller, { body }) => changeWorkspace(caller, body),
}
