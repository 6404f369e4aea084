import { everyOperation } from '@muster/contract'

import { batchPersonnel } from './batch.ts'
import { archiveGroup, createGroup, restoreGroup, updateGroup } from './groups.ts'
import {
  listAssignments,
  listGroups,
  listMembers,
  listPersonnel,
  viewGroup,
  viewPerson,
} from './lists.ts'
import { addMember, changeMembers, removeMember } from './members.ts'
import type { Command, Rule } from './model.ts'
import {
  createPerson,
  departPerson,
  erasePerson,
  rejoinPerson,
  resumePerson,
  suspendPerson,
  updatePerson,
} from './people.ts'
import { createWork, reassignWork } from './work.ts'

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

/** The expected result of a command in the current state. */
export const plan: Rule = (state, command, observed) => {
  const rule = rules[command.name]
  if (rule === undefined) throw new Error(`no rule for ${command.name} in the model`)
  return rule(state, command, observed)
}

const named = new Map(everyOperation().map(({ name, operation }) => [name, operation]))

/** The HTTP request of a command, by the contract. */
export function requestOf({ name, at, query, body, ifMatch }: Command) {
  const operation = named.get(name)
  if (operation === undefined) throw new Error(`no operation ${name} in the contract`)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, id: string) => at[id] ?? '')
  const asked = new URLSearchParams(query).toString()
  const headers: Record<string, string> = ifMatch === null ? {} : { 'if-match': `"${ifMatch}"` }
  return {
    method: operation.method,
    path: asked === '' ? path : `${path}?${asked}`,
    status: operation.status,
    sent: { headers, ...(operation.body && { body }) },
  }
}
