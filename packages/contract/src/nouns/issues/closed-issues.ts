import { Type, type Static } from 'typebox'

import { exampleOf, withExample } from '#contract/examples'
import { nullable } from '#contract/field-schemas'
import { externalIdFilter, refFilter } from '#contract/fields'
import { closedFilters, searchFilter } from '#contract/list-operation'
import { PersonName, ProjectName } from '#contract/rollup'

import { issueFields } from './fields.ts'
import { Issue } from './issue.ts'

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

export const closedIssueFilters = {
  ...closedFilters('issues'),
  ref: Type.Optional(refFilter('issues', 'DAM-I2')),
  external_id: Type.Optional(externalIdFilter('issues', 'SD-2091')),
  assignee_user_id: issueFields.assignee_user_id.filter,
  q: Type.Optional(searchFilter('the ref or the title', 'lorries')),
}
