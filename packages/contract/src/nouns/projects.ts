import { Type } from 'typebox'

import { choice, id } from './fields.ts'
import { historyOperation } from './history.ts'
import { anyOf, anyOfThese, listOperation, q, sort } from './list.ts'
import { operation } from './operation.ts'
import {
  currentProjectStatuses,
  ListedProject,
  NewProject,
  Project,
  ProjectPatch,
  projectStatuses,
} from './project.ts'

export const inProject = { project_id: id('prj', 'The id of the project.') }
const params = Type.Object(inProject)

const ArchiveProject = Type.Object(
  {
    if_live_items: Type.Optional(
      choice(['close', 'transfer'], {
        description:
          'What becomes of its live risks, open issues and open tasks. Without it, a project that ' +
          'has any is not archived.',
        example: 'close',
      }),
    ),
    to_project_id: Type.Optional(id('prj', 'With `transfer`: the project that takes them over.')),
  },
  {
    additionalProperties: false,
    title: 'ArchiveProject',
    description: 'What becomes of what still needs someone. May be left out.',
    examples: [{ if_live_items: 'close' }],
  },
)

const RestoreProject = Type.Object(
  {
    status: Type.Optional(
      choice(currentProjectStatuses, {
        description: 'The status it gets. `active` when it is left out.',
        example: 'active',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'RestoreProject',
    description: 'The status it gets. May be left out.',
  },
)

export const projects = {
  list: listOperation({
    summary: 'List the projects.',
    description:
      'Every project that is not archived, in the order they were opened. `status` names others: ' +
      '`status=archived` lists the archive. `include=summary` adds what each is up against.',
    path: '/v1/projects',
    scope: 'projects.read',
    collection: 'projects',
    item: ListedProject,
    title: 'ProjectList',
    includes: { summary: { collections: ['risks', 'issues'], scope: 'projects.read' } },
    filters: {
      id: Type.Optional(anyOfThese(id('prj', 'The id of a project.'), 'Only these projects.')),
      status: Type.Optional(
        anyOf(
          projectStatuses,
          'Only projects with one of these statuses. Without it: all but archived.',
          'active',
        ),
      ),
      q: Type.Optional(q('the code or the name', 'dam')),
      sort: Type.Optional(
        sort(
          ['created_at', 'name', 'updated_at'],
          'The order: when they were opened (as without `sort`), by name, or by last change.',
        ),
      ),
    },
  }),

  create: operation({
    summary: 'Open a project.',
    description: 'Risks, issues and tasks can be added at once. The code can never be changed.',
    method: 'POST',
    path: '/v1/projects',
    scope: 'projects.manage',
    body: NewProject,
    status: 201,
    response: Project,
    cache: 'version',
    problems: ['project_code_taken', 'unknown_reference', 'not_assignable', 'quota_exceeded'],
    events: ['project.created'],
  }),

  view: operation({
    summary: 'View one project.',
    description: 'Answers any project there ever was, also an archived one.',
    method: 'GET',
    path: '/v1/projects/{project_id}',
    scope: 'projects.read',
    params,
    status: 200,
    response: Project,
    cache: 'version',
    problems: ['not_found'],
  }),

  update: operation({
    summary: 'Change a project.',
    description:
      'What is left out stays; null clears. When `risk_appetite` changes, the flags of the risks ' +
      'follow within a minute.',
    method: 'PATCH',
    path: '/v1/projects/{project_id}',
    scope: 'projects.manage',
    params,
    body: ProjectPatch,
    status: 200,
    response: Project,
    cache: 'version',
    problems: [
      'not_found',
      'project_archived',
      'read_only_field',
      'unknown_reference',
      'not_assignable',
    ],
    events: ['project.updated'],
  }),

  archive: operation({
    summary: 'Archive a project.',
    description:
      'An archived project holds nothing that needs someone, so the roll-ups need no hidden ' +
      'filter. What still does is closed with it or moved to another project, where it keeps its ' +
      'reference; at most 1000 items at once.',
    method: 'POST',
    path: '/v1/projects/{project_id}/archive',
    scope: 'projects.manage',
    params,
    body: ArchiveProject,
    status: 200,
    response: Project,
    cache: 'version',
    problems: [
      'not_found',
      'project_has_live_items',
      'too_many_items',
      'project_archived',
      'unknown_reference',
    ],
    events: ['project.archived'],
  }),

  restore: operation({
    summary: 'Bring a project back from the archive.',
    description: 'What was closed with it stays closed.',
    method: 'POST',
    path: '/v1/projects/{project_id}/restore',
    scope: 'projects.manage',
    params,
    body: RestoreProject,
    status: 200,
    response: Project,
    cache: 'version',
    problems: ['not_found', 'quota_exceeded'],
    events: ['project.restored'],
  }),

  history: historyOperation({
    of: 'a project',
    path: '/v1/projects/{project_id}/history',
    collection: 'projects',
    scope: 'projects.read',
    params,
  }),
}
