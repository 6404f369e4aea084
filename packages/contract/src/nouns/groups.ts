import { Type } from 'typebox'

import { id } from './fields.ts'
import { ChangeMembers, Group, GroupPatch, groupStatuses, Member, NewGroup } from './group.ts'
import { limits } from './limits.ts'
import { anyOf, listOperation, q, sort } from './list.ts'
import { operation } from './operation.ts'

const inGroup = { group_id: id('grp', 'The id of the group.') }
const params = Type.Object(inGroup)
const ofMember = Type.Object({ ...inGroup, user_id: id('usr', 'The user id of the person.') })

/** What all changes of a group have in common. */
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
    summary: 'List the personnel groups.',
    description:
      'All active groups, in the order they were made. `status=archived` lists the others.',
    path: '/v1/groups',
    scope: 'personnel.read',
    collection: 'groups',
    item: Group,
    title: 'GroupList',
    filters: {
      status: Type.Optional(
        anyOf(
          groupStatuses,
          'Only groups with one of these statuses. Without it: active.',
          'active',
        ),
      ),
      q: Type.Optional(q('the name', 'geo')),
      sort: Type.Optional(
        sort(
          ['created_at', 'name', 'updated_at'],
          'The order: when they were made (as without `sort`), by name, or by last change.',
        ),
      ),
    },
  }),

  create: operation({
    summary: 'Make a personnel group.',
    description: 'It may have members at once; their versions change with it.',
    method: 'POST',
    path: '/v1/groups',
    scope: 'personnel.manage',
    body: NewGroup,
    status: 201,
    response: Group,
    cache: 'version',
    problems: ['name_taken', 'quota_exceeded'],
    events: ['group.created', 'group.member_added'],
  }),

  view: operation({
    summary: 'View one group.',
    description: 'Answers any group there ever was, also an archived one.',
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
    summary: 'Change a group.',
    description: 'What is left out stays; null clears. Members are changed under `/members`.',
    method: 'PATCH',
    path: '/v1/groups/{group_id}',
    body: GroupPatch,
    problems: ['not_found', 'group_archived', 'read_only_field', 'name_taken'],
    events: ['group.updated'],
  }),

  archive: operation({
    ...change,
    summary: 'Archive a group.',
    description:
      'The group leaves the list and its name is free. Its members stay, should it be restored; ' +
      'only by departing does anyone leave it meanwhile.',
    path: '/v1/groups/{group_id}/archive',
    problems: ['not_found'],
    events: ['group.archived'],
  }),

  restore: operation({
    ...change,
    summary: 'Bring a group back from the archive.',
    description: 'It has the members it had, but for those who departed.',
    path: '/v1/groups/{group_id}/restore',
    problems: ['not_found', 'name_taken', 'quota_exceeded'],
    events: ['group.restored'],
  }),

  members: listOperation({
    summary: 'List the members of a group.',
    description:
      'In the order they came to the roster. `GET /v1/personnel?group_id=` lists them as people.',
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
    summary: 'Let many people join and leave a group at once.',
    description: `At most ${limits.itemsMax} together, all or none.`,
    method: 'PATCH',
    path: '/v1/groups/{group_id}/members',
    body: ChangeMembers,
    bodyBytesMax: limits.membersBytesMax,
    problems: ['not_found', 'group_archived', 'too_many_items'],
    events: ['group.member_added', 'group.member_removed'],
  }),

  add_member: operation({
    ...change,
    summary: 'Let a person join a group.',
    description: 'Changes the version of the group and of the person. A member stays one.',
    method: 'PUT',
    path: '/v1/groups/{group_id}/members/{user_id}',
    params: ofMember,
    problems: ['not_found', 'group_archived', 'not_on_roster'],
    events: ['group.member_added'],
  }),

  remove_member: operation({
    ...change,
    summary: 'Let a person leave a group.',
    description:
      'Changes the version of the group and of the person. Whoever leads the group leads it no ' +
      'more. Who is no member stays so.',
    method: 'DELETE',
    path: '/v1/groups/{group_id}/members/{user_id}',
    params: ofMember,
    problems: ['not_found', 'group_archived'],
    events: ['group.member_removed'],
  }),
}
