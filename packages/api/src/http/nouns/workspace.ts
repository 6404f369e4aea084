import { changeWorkspace, viewWorkspace } from '#domain/workspace/workspace'
import type { Handlers } from '#http/bind'

export const workspace: Handlers['workspace'] = {
  view: (caller) => viewWorkspace(caller),
  update: (caller, { body }) => changeWorkspace(caller, body),
}
