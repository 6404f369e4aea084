import { Type } from 'typebox'

import { id, singleLine } from '#contract/field-schemas'
import { externalIdFilter } from '#contract/fields'
import { limits } from '#contract/limits'
import {
  enumFilter,
  listOperation,
  searchFilter,
  sortParameter,
  valuesFilter,
} from '#contract/list-operation'
import { operation } from '#contract/operation'
import { growthProblems } from '#contract/problems/operation-problems'

import { groupStatuses } from './fields.ts'
import { ChangeMembers, Group, GroupPatch, Member, NewGroup } from './group.ts'

const inGroup = { group_id: id('grp', 'The id of the group.') }
const params = Type.Object(inGroup)
const ofMember = Type.Object({ ...inGroup, user_id: id('usr', 'The user id of the person.') })

/** The common part of all operations that change a group. */
const change = {
  method: 'POST',
  scope: 'personnel.manage',
  params,
  status: 200,
  response: Group,
  cache: 'version',
} as const

export const groups = {
  list: listOperation({
    summary: 'List personnel groups.',
    description:
      'Returns all active groups in order of creation. `status=archived` lists archived groups.',
    path: '/v1/groups',
    scope: 'personnel.read',
    collection: 'groups',
    item: Group,
    title: 'GroupList',
    filters: {
      status: Type.Optional(
        enumFilter(
          groupStatuses,
          'Only groups with one of these statuses. Default: active.',
          'active',
        ),
      ),
      name: Type.Optional(
        valuesFilter(
          singleLine(100, {
            description: 'A name, without a comma. Letter case does not matter.',
            example: 'Geotechnics',
          }),
          'Only groups with one of these names.',
          limits.idsMax,
        ),
      ),
      external_id: Type.Optional(externalIdFilter('groups', 'nw-ou-12')),
      q: Type.Optional(searchFilter('the name', 'geo')),
      sort: Type.Optional(
        sortParameter(
          ['created_at', 'name', 'updated_at'],
          'The sort order: creation time (default), name, or last change.',
        ),
      ),
    },
  }),

  create: operation({
    summary: 'Create a personnel group.',
    description: 'The request can include the first members. Their versions change too.',
    method: 'POST',
    path: '/v1/groups',
    scope: 'personnel.manage',
    body: NewGroup,
    status: 201,
    response: Group,
    cache: 'version',
    example: { member_count: 0, members_changed_at: '2026-02-12T09:30:00.000Z' },
    problems: ['name_taken', 'quota_exceeded'],
    events: ['group.created', 'group.member_added'],
  }),

  view: operation({
    summary: 'View a group.',
    description: 'Returns an active or archived group.',
    method: 'GET',
    path: '/v1/groups/{group_id}',
    scope: 'personnel.read',
    params,
    status: 200,
    response: Group,
    cache: 'version',
    problems: ['not_found'],
  }),

  update: operation({
    ...change,
    summary: 'Update a group.',
    description:
      'Omitted fields are unchanged; null clears a field. Use `/members` to change members.',
    method: 'PATCH',
    path: '/v1/groups/{group_id}',
    isMergePatch: true,
    body: GroupPatch,
    problems: ['not_found', 'group_archived', 'read_only_field', 'name_taken'],
    events: ['group.updated'],
  }),

  archive: operation({
    ...change,
    summary: 'Archive a group.',
    description:
      'Removes the group from the list and frees its name. Members are kept for a later restore, ' +
      'except people who depart.',
    path: '/v1/groups/{group_id}/archive',
    example: { status: 'archived' },
    problems: ['last_admin', 'not_found'],
    events: ['group.archived'],
  }),

  restore: operation({
    ...change,
    summary: 'Restore a group.',
    description:
      'The group gets its members back, except people who departed. If the group has a role, the ' +
      'restore needs every right of the role and, in a session, a recent sign-in.',
    path: '/v1/groups/{group_id}/restore',
    problems: [...growthProblems, 'not_found', 'name_taken', 'quota_exceeded'],
    events: ['group.restored'],
  }),

  members: listOperation({
    summary: 'List the members of a group.',
    description:
      'Returns members in the order in which they were added to the roster. ' +
      '`GET /v1/personnel?group_id=` returns them as people.',
    path: '/v1/groups/{group_id}/members',
    scope: 'personnel.read',
    params,
    collection: 'groups',
    item: Member,
    title: 'MemberList',
    filters: {},
    problems: ['not_found'],
  }),

  change_members: operation({
    ...change,
    summary: 'Add and remove members of a group.',
    description:
      `Changes at most ${limits.itemsMax} members, all or none. If the group has a role, adding a ` +
      'member needs every right of the role and, in a session, a recent sign-in.',
    method: 'PATCH',
    path: '/v1/groups/{group_id}/members',
    body: ChangeMembers,
    bodyBytesMax: limits.idListBytesMax,
    example: { member_count: 8 },
    problems: [...growthProblems, 'last_admin', 'not_found', 'group_archived', 'too_many_items'],
    events: ['group.member_added', 'group.member_removed'],
  }),

  add_member: operation({
    ...change,
    summary: 'Add a member to a group.',
    description:
      'Changes the version of the group and of the person. Adding a member again has no effect. ' +
      'If the group has a role, this needs every right of the role and, in a session, a recent ' +
      'sign-in.',
    method: 'PUT',
    path: '/v1/groups/{group_id}/members/{user_id}',
    params: ofMember,
    example: { member_count: 8 },
    problems: [...growthProblems, 'not_found', 'group_archived', 'not_on_roster'],
    events: ['group.member_added'],
  }),

  remove_member: operation({
    ...change,
    summary: 'Remove a member from a group.',
    description:
      'Changes the version of the group and of the person. A removed lead is no longer a lead. ' +
      'Removing a person who is not a member has no effect.',
    method: 'DELETE',
    path: '/v1/groups/{group_id}/members/{user_id}',
    params: ofMember,
    example: { member_count: 6, lead_user_ids: [] },
    problems: ['last_admin', 'not_found', 'group_archived'],
    events: ['group.member_removed'],
  }),
}
