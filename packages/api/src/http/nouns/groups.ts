import {
  addGroup,
  archiveGroup,
  listGroups,
  listMembers,
  restoreGroup,
  updateGroup,
  viewGroup,
} from '#domain/people/groups'
import { addMember, changeMembers, removeMember } from '#domain/people/members'
import type { Handlers } from '#http/operations/handlers'

const idsOf = (params: { group_id: string; user_id: string }) => ({
  groupId: params.group_id,
  userId: params.user_id,
})

export const groups: Handlers['groups'] = {
  list: (caller, { query }) => listGroups(caller, query),
  create: (caller, { body }) => addGroup(caller, body),
  view: (caller, { params }) => viewGroup(caller, params.group_id),
  update: (caller, { params, body }) => updateGroup(caller, params.group_id, body),
  archive: (caller, { params }) => archiveGroup(caller, params.group_id),
  restore: (caller, { params }) => restoreGroup(caller, params.group_id),
  members: (caller, { params }) => listMembers(caller, params.group_id),
  change_members: (caller, { params, body }) => changeMembers(caller, params.group_id, body),
  add_member: (caller, { params }) => addMember(caller, idsOf(params)),
  remove_member: (caller, { params }) => removeMember(caller, idsOf(params)),
}
