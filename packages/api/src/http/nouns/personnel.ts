import { listAssignments, reassignWork } from '#domain/assignments'
import { rehearsing } from '#domain/caller'
import {
  departPerson,
  erasePerson,
  rejoinPerson,
  resumePerson,
  suspendPerson,
} from '#domain/person-life'
import {
  addPerson,
  listPersonHistory,
  listPersonnel,
  updatePerson,
  viewPerson,
} from '#domain/personnel'
import { batchPersonnel } from '#domain/personnel-batch'

import type { Handlers } from './bind.ts'

export const personnel: Handlers['personnel'] = {
  list: (caller, { query }) => listPersonnel(caller, query),
  create: (caller, { body }) => addPerson(caller, body),
  batch: (caller, { query, body }) => batchPersonnel(rehearsing(caller, query.dry_run), body.data),
  view: (caller, { params }) => viewPerson(caller, params.user_id),
  update: (caller, { params, body }) => updatePerson(caller, params.user_id, body),
  suspend: (caller, { params, body }) => suspendPerson(caller, params.user_id, body),
  resume: (caller, { params, body }) => resumePerson(caller, params.user_id, body),
  depart: (caller, { params, body }) => departPerson(caller, params.user_id, body),
  rejoin: (caller, { params, body }) => rejoinPerson(caller, params.user_id, body),
  erase: (caller, { params, body }) => erasePerson(caller, params.user_id, body),
  assignments: (caller, { params }) => listAssignments(caller, params.user_id),
  reassign: (caller, { params, body }) => reassignWork(caller, params.user_id, body),
  history: (caller, { params }) => listPersonHistory(caller, params.user_id),
}
