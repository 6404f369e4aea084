import { addPerson, listPersonHistory, listPersonnel, viewPerson } from '#domain/personnel'

import type { Handlers } from './bind.ts'

export const personnel: Handlers['personnel'] = {
  list: (caller, { query }) => listPersonnel(caller, query),
  create: (caller, { body }) => addPerson(caller, body),
  view: (caller, { params }) => viewPerson(caller, params.user_id),
  history: (caller, { params }) => listPersonHistory(caller, params.user_id),
}
