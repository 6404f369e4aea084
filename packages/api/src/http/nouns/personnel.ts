import { asDryRun, personOf } from '#domain/engine/caller'
import { listAssignments } from '#domain/handover/assignments'
import { departPerson } from '#domain/handover/departures'
import { reassignWork } from '#domain/handover/handover'
import { syncPersonnel } from '#domain/handover/roster-sync'
import {
  erasePerson,
  rejoinPerson,
  resumePerson,
  suspendPerson,
} from '#domain/people/person-lifecycle'
import {
  addPerson,
  listPersonHistory,
  listPersonnel,
  updatePerson,
  viewMe,
  viewPerson,
} from '#domain/people/personnel'
import type { Handlers } from '#http/operations/handlers'

export const personnel: Handlers['personnel'] = {
  list: (caller, { query }) => listPersonnel(caller, query),
  create: (caller, { body }) => addPerson(caller, body),
  batch: (caller, { query: { dry_run, ...query }, body, lookups }) =>
    syncPersonnel(asDryRun(caller, dry_run), { ...body, lookups }, query),
  view: (caller, { params }) => viewPerson(caller, params.user_id),
  update: (caller, { params, query, body }) =>
    updatePerson(caller, { userId: params.user_id, ...query }, body),
  suspend: (caller, { params, body }) => suspendPerson(caller, params.user_id, body),
  resume: (caller, { params, body }) => resumePerson(caller, params.user_id, body),
  depart: (caller, { params, body }) => departPerson(caller, params.user_id, body),
  rejoin: (caller, { params, body }) => rejoinPerson(caller, params.user_id, body),
  erase: (caller, { params, body }) => erasePerson(caller, params.user_id, body),
  assignments: (caller, { params }) => listAssignments(caller, params.user_id),
  me: (caller) => viewMe(caller),
  my_assignments: (caller) => listAssignments(caller, personOf(caller)),
  reassign: (caller, { params, body }) => reassignWork(caller, params.user_id, body),
  history: (caller, { params, query }) => listPersonHistory(caller, params.user_id, query),
}
