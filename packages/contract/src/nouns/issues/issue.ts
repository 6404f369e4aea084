import { Type, type Static } from 'typebox'

import { readOnlyInNewRows } from '#contract/batch-operation'
import { withExample } from '#contract/examples'
import { inputsOf, referencesTo, requiredOf, crossProjectRow, schemasOf } from '#contract/fields'
import { createSchema, patchSchema } from '#contract/input-schemas'

import { issueFields } from './fields.ts'

export const Issue = withExample(
  Type.Object(schemasOf(issueFields), { title: 'Issue', description: 'A problem in a project.' }),
  {
    blocked_reason: null,
    risk_id: null,
    close_reason: null,
    close_note: null,
    closed_at: null,
    flags: [],
    tags: ['crane'],
    links: [],
    metadata: {},
    created_at: '2026-11-20T07:40:00.000Z',
    updated_at: '2026-11-24T15:10:00.000Z',
  },
)
export type Issue = Static<typeof Issue>

export const NewIssue = createSchema(requiredOf(issueFields), inputsOf(issueFields, 'create'), {
  title: 'NewIssue',
  description: 'An issue to create. Default: status open, type problem.',
  example: { title: 'Crane foundation cracked', severity: 4, due_on: '2027-03-01' },
})
export type NewIssue = Static<typeof NewIssue>

export const IssuePatch = patchSchema(Issue, inputsOf(issueFields, 'patch'), {
  title: 'IssuePatch',
  description: 'A JSON merge patch.',
  example: { status: 'blocked', blocked_reason: 'Waiting for the supplier.' },
})
export type IssuePatch = Static<typeof IssuePatch>

/** A row of a batch: with an `id` it updates that issue, without one it creates an issue. */
export const IssueRow = patchSchema(
  Issue,
  {
    ...inputsOf(issueFields, 'row'),
    ...referencesTo('assignee', 'the assignee'),
  },
  {
    title: 'IssueRow',
    description:
      'With `id`, the row updates that issue. Without `id`, it creates an issue. ' +
      readOnlyInNewRows,
    example: { title: 'Gate 3 does not close', severity: 3, tags: ['gates'] },
  },
)
export type IssueRow = Static<typeof IssueRow>

/** A row of a batch of several projects. */
export const CrossProjectIssueRow = crossProjectRow(IssueRow, 'CrossProjectIssueRow')
export type CrossProjectIssueRow = Static<typeof CrossProjectIssueRow>
