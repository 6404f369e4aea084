import { Type, type Static } from 'typebox'

import { exampleOf, withExample } from '#contract/examples'
import { id, nullable, userIdOrNone } from '#contract/field-schemas'
import { enumFilter, searchFilter, valuesFilter } from '#contract/list-operation'
import { PersonName, ProjectName } from '#contract/rollup'

import { Issue } from './issue.ts'
import { closedRiskStatuses, Risk } from './risk.ts'

export const ClosedRisk = withExample(
  Type.Object(
    { ...Risk.properties, project: ProjectName, owner: Type.Optional(nullable(PersonName)) },
    {
      title: 'ClosedRisk',
      description:
        'A risk that occurred or is closed, with its project. `include=people` adds the owner.',
    },
  ),
  {
    ...(exampleOf(Risk) as object),
    status: 'closed',
    closed_at: '2026-11-20T10:00:00.000Z',
    close_reason: 'treated',
    close_note: 'Drains renewed.',
    updated_at: '2026-11-20T10:00:00.000Z',
  },
)
export type ClosedRisk = Static<typeof ClosedRisk>

export const ClosedIssue = withExample(
  Type.Object(
    { ...Issue.properties, project: ProjectName, assignee: Type.Optional(nullable(PersonName)) },
    {
      title: 'ClosedIssue',
      description: 'A closed issue with its project. `include=people` adds the assignee.',
    },
  ),
  {
    ...(exampleOf(Issue) as object),
    status: 'closed',
    closed_at: '2026-11-29T16:00:00.000Z',
    close_reason: 'resolved',
    close_note: 'New foundation.',
    updated_at: '2026-11-29T16:00:00.000Z',
  },
)
export type ClosedIssue = Static<typeof ClosedIssue>

const ofProjects = (what: string) =>
  Type.Optional(valuesFilter(id('prj', 'The id of a project.'), `Only ${what} of these projects.`))

export const closedRiskFilters = {
  project_id: ofProjects('risks'),
  owner_user_id: Type.Optional(
    valuesFilter(userIdOrNone, 'Only risks of these owners; `none` for risks without an owner.'),
  ),
  status: Type.Optional(
    enumFilter(closedRiskStatuses, 'Only risks with these statuses.', 'occurred'),
  ),
  q: Type.Optional(searchFilter('the ref or the title', 'storm')),
}

export const closedIssueFilters = {
  project_id: ofProjects('issues'),
  assignee_user_id: Type.Optional(
    valuesFilter(userIdOrNone, 'Only issues of these assignees; `none` for unassigned issues.'),
  ),
  q: Type.Optional(searchFilter('the ref or the title', 'lorries')),
}
