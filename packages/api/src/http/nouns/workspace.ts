import { changeWorkspace, viewWorkspace } from '#domain/workspace/workspace'
import type { Handlers } from '#http/operations/handlers'

export const workspace: Handlers['workspace'] = {
  view: (caller) => viewWorkspace(caller),
  update: (caller, { body }) => changeWorkspace(caller, body),
}
