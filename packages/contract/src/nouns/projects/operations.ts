import { Type } from 'typebox'

import { aboutBatch, batchSchemas, itemBatch } from '#contract/batch-operation'
import { closedEnum, id } from '#contract/field-schemas'
import { filtersOf } from '#contract/fields'
import { historyOperation } from '#contract/history'
import {
  enumFilter,
  valuesFilter,
  listOperation,
  searchFilter,
  sortParameter,
} from '#contract/list-operation'
import { operation } from '#contract/operation'
import { asOfQuery } from '#contract/points'
import { byPersonName } from '#contract/rollup'

import { currentProjectStatuses, projectFields, projectStatuses } from './fields.ts'
import { ListedProject, NewProject, Project, ProjectPatch, ProjectRow } from './project.ts'

export const inProject = { project_id: id('prj', 'The id of the project.') }
const params = Type.Object(inProject)

const ArchiveProject = Type.Object(
  {
    if_live_items: Type.Optional(
      closedEnum(['close', 'transfer'], {
        description:
          'Whether to close or transfer live risks, open issues and open tasks. Without it, a ' +
          'project that has any of them cannot be archived.',
        example: 'close',
      }),
    ),
    to_project_id: Type.Optional(id('prj', 'With `transfer`: the id of the target project.')),
  },
  {
    additionalProperties: false,
    title: 'ArchiveProject',
    description: 'What to do with live risks, open issues and open tasks. Optional.',
    examples: [{ if_live_items: 'close' }],
  },
)

const RestoreProject = Type.Object(
  {
    status: Type.Optional(
      closedEnum(currentProjectStatuses, {
        description: 'The new status. Default: `active`.',
        example: 'active',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'RestoreProject',
    description: 'The new status. Optional.',
  },
)

export const projects = {
  list: listOperation({
    summary: 'List projects.',
    description:
      'Returns all projects that are not archived, in order of creation. `status=archived` lists ' +
      'archived projects. `include=summary` adds the risk and issue counts of each project.',
    path: '/v1/projects',
    scope: 'projects.read',
    collection: 'projects',
    item: ListedProject,
    title: 'ProjectList',
    sorts: {
      worst: { collections: ['risks'], scope: 'projects.read' },
      owner: byPersonName,
    },
    includes: { summary: { collections: ['risks', 'issues'], scope: 'projects.read' } },
    filters: {
      id: Type.Optional(valuesFilter(id('prj', 'The id of a project.'), 'Only these projects.')),
      ...filtersOf(projectFields),
      status: Type.Optional(
        enumFilter(
          projectStatuses,
          'Only projects with one of these statuses. Default: all except archived.',
          'active',
        ),
      ),
      q: Type.Optional(searchFilter('the code or the name', 'dam')),
      sort: Type.Optional(
        sortParameter(
          ['created_at', 'name', 'updated_at', 'worst', 'owner', 'due_on'],
          'The sort order: creation time (default), name, last change, worst first, name of the ' +
            'owner, or due date. `worst` lists projects that are off track, then at risk, then ' +
            'the others, each by the highest rank of a live risk; completed and cancelled ' +
            'projects come last. Projects without a value come last. `owner` requires the scope ' +
            '`personnel.read`.',
        ),
      ),
    },
  }),

  create: operation({
    summary: 'Create a project.',
    description: 'You can add risks, issues and tasks immediately. The code is permanent.',
    method: 'POST',
    path: '/v1/projects',
    scope: 'projects.manage',
    body: NewProject,
    status: 201,
    response: Project,
    cache: 'version',
    example: { health_set_at: '2026-02-12T09:30:00.000Z' },
    problems: [
      'beyond_your_rights',
      'not_found',
      'project_code_taken',
      'external_id_taken',
      'unknown_reference',
      'not_assignable',
      'quota_exceeded',
    ],
    events: ['project.created'],
  }),

  batch: operation({
    summary: 'Create and update projects in a batch.',
    description: aboutBatch('projects'),
    method: 'POST',
    path: '/v1/projects/batch',
    scope: 'projects.manage',
    rows: ProjectRow,
    ...batchSchemas(ProjectRow, Project, {
      ...itemBatch,
      name: 'Project',
      matches: ['external_id', 'code'],
    }),
    status: 200,
    cache: 'none',
    example: { health_set_at: null },
    problems: ['quota_exceeded'],
    events: ['project.created', 'project.updated'],
  }),

  view: operation({
    summary: 'View a project.',
    description: 'Returns a project with any status, including archived projects.',
    method: 'GET',
    path: '/v1/projects/{project_id}',
    scope: 'projects.read',
    params,
    query: asOfQuery('The project'),
    status: 200,
    response: Project,
    cache: 'version',
    problems: ['not_found', 'unknown_point'],
  }),

  update: operation({
    summary: 'Update a project.',
    description:
      'Omitted fields are unchanged; null clears a field. After a change of `risk_appetite`, the ' +
      'flags of the risks are updated within a minute.',
    method: 'PATCH',
    path: '/v1/projects/{project_id}',
    isMergePatch: true,
    scope: 'projects.manage',
    params,
    body: ProjectPatch,
    status: 200,
    response: Project,
    cache: 'version',
    problems: [
      'beyond_your_rights',
      'not_found',
      'project_archived',
      'read_only_field',
      'external_id_taken',
      'unknown_reference',
      'not_assignable',
    ],
    events: ['project.updated'],
  }),

  archive: operation({
    summary: 'Archive a project.',
    description:
      'An archived project has no live risks, open issues or open tasks. They are closed with it ' +
      'or transferred to another project, where they keep their references: at most 1000 items.',
    method: 'POST',
    path: '/v1/projects/{project_id}/archive',
    scope: 'projects.manage',
    params,
    body: ArchiveProject,
    status: 200,
    response: Project,
    cache: 'version',
    example: { status: 'archived' },
    problems: [
      'beyond_your_rights',
      'not_found',
      'project_has_live_items',
      'too_many_items',
      'project_archived',
      'unknown_reference',
    ],
    events: [
      'project.archived',
      'risk.closed',
      'risk.updated',
      'issue.closed',
      'issue.updated',
      'task.updated',
    ],
  }),

  restore: operation({
    summary: 'Restore a project.',
    description: 'Items that were closed with the project stay closed.',
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
    resource: 'a project',
    entry: {
      type: 'project.updated',
      note: null,
      changes: [{ field: 'health', from: 'on_track', to: 'at_risk' }],
    },
    path: '/v1/projects/{project_id}/history',
    collection: 'projects',
    scope: 'projects.read',
    params,
  }),
}
