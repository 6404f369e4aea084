import { listOperation } from '#contract/list-operation'
import { operation } from '#contract/operation'

import { Assignment } from './changes.ts'
import { Person } from './person.ts'

/** The operations about the person who is signed in. */
export const me = {
  me: operation({
    summary: 'View the person who is signed in.',
    description: 'Needs a session of a person or a personal key, and no scope.',
    method: 'GET',
    path: '/v1/personnel/me',
    scope: 'person',
    status: 200,
    response: Person,
    cache: 'none',
    problems: [],
  }),

  my_assignments: listOperation({
    summary: 'List the assigned work of the person who is signed in.',
    description: 'As `GET /v1/personnel/{user_id}/assignments`, for yourself.',
    path: '/v1/personnel/me/assignments',
    scope: 'projects.read',
    collection: 'tasks',
    cache: 'none',
    item: Assignment,
    title: 'MyAssignmentList',
    filters: {},
    problems: ['not_a_person'],
  }),
}
