import { everyOperation } from '@muster/contract'

import { batchPersonnel } from './roster-model-batch.ts'
import { archiveGroup, createGroup, restoreGroup, updateGroup } from './roster-model-groups.ts'
import {
  listAssignments,
  listGroups,
  listMembers,
  listPersonnel,
  viewGroup,
  viewPerson,
} from './roster-model-lists.ts'
import { addMember, changeMembers, removeMember } from './roster-model-members.ts'
import {
  createPerson,
  departPerson,
  erasePerson,
  rejoinPerson,
  resumePerson,
  suspendPerson,
  updatePerson,
} from './roster-model-people.ts'
import { createWork, reassignWork } from './roster-model-work.ts'
import type { Command, Rule } from './roster-model.ts'

const rules: Record<string, Rule> = {
  'personnel.list': listPersonnel,
  'personnel.view': viewPerson,
  'personnel.create': createPerson,
  'personnel.batch': batchPersonnel,
  'personnel.update': updatePerson,
  'personnel.suspend': suspendPerson,
  'personnel.resume': resumePerson,
  'personnel.depart': departPerson,
  'personnel.rejoin': rejoinPerson,
  'personnel.erase': erasePerson,
  'personnel.assignments': listAssignments,
  'personnel.reassign': reassignWork,
  'groups.list': listGroups,
  'groups.view': viewGroup,
  'groups.create': createGroup,
  'groups.update': updateGroup,
  'groups.archive': archiveGroup,
  'groups.restore': restoreGroup,
  'groups.members': listMembers,
  'groups.change_members': changeMembers,
  'groups.add_member': addMember,
  'groups.remove_member': removeMember,
  'projects.create': createWork('project'),
  'risks.create': createWork('risk'),
  'issues.create': createWork('issue'),
  'tasks.create': createWork('task'),
}

/** What must come of a command as things stand. */
export const plan: Rule = (world, command, heard) => {
  const rule = rules[command.name]
  if (rule === undefined) throw new Error(`The model does not know ${command.name}.`)
  return rule(world, command, heard)
}

const named = new Map(everyOperation().map(({ name, operation }) => [name, operation]))

/** Where a command goes, by the contract. */
export function requestOf({ name, at, query, body, onlyIf }: Command) {
  const operation = named.get(name)
  if (operation === undefined) throw new Error(`The contract has no ${name}.`)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, id: string) => at[id] ?? '')
  const asked = new URLSearchParams(query).toString()
  const headers: Record<string, string> = onlyIf === null ? {} : { 'if-match': `"${onlyIf}"` }
  return {
    method: operation.method,
    path: asked === '' ? path : `${path}?${asked}`,
    status: operation.status,
    sent: { headers, ...(operation.body && { body }) },
  }
}
