import { Type, type Static } from 'typebox'

import { withExample } from '#contract/examples'
import {
  closedEnum,
  date,
  id,
  timestamp,
  integer,
  openEnum,
  auditFields,
  evidenceLinksInput,
  singleLine,
  labelFields,
  Metadata,
  MetadataPatch,
  nullable,
  multiLine,
  rating,
  tags,
} from '#contract/field-schemas'
import { createSchema, patchSchema } from '#contract/input-schemas'

/** An issue is open unless it is closed. */
export const openIssueStatuses = ['open', 'in_progress', 'blocked'] as const
export const issueStatuses = [...openIssueStatuses, 'closed'] as const
export const issueTypes = ['problem', 'change_request', 'dependency', 'other'] as const
export const issueCloseReasons = [
  'resolved',
  'workaround',
  'duplicate',
  'not_an_issue',
  'cancelled',
] as const
export const issueFlags = ['overdue'] as const

const about = {
  title: singleLine(200, {
    description: 'A one-line summary of the issue.',
    example: 'Crane foundation cracked',
  }),
  description: nullable(
    multiLine(5000, {
      description: 'The problem in detail.',
      example: 'Found at the morning inspection; the crane is out of use.',
    }),
  ),
  severity: rating({
    description: 'The severity from 1 to 5, on the same scale as the impact of a risk.',
    example: 4,
  }),
  assignee_user_id: nullable(id('usr', 'The user id of the assignee.')),
  due_on: nullable(
    date({ description: 'The date by which the issue must be solved.', example: '2026-12-01' }),
  ),
  blocked_reason: nullable(
    multiLine(500, { description: 'What blocks the issue.', example: 'Waiting for the supplier.' }),
  ),
}

export const Issue = withExample(
  Type.Object(
    {
      id: id('iss', 'The id of this issue.'),
      ref: singleLine(24, {
        description: 'The reference: the project code and a number that is never reused.',
        example: 'DAM-I7',
      }),
      project_id: id('prj', 'The id of its project.'),
      ...about,
      type: openEnum(issueTypes, { description: 'The type of the issue.', example: 'problem' }),
      status: openEnum(issueStatuses, {
        description: 'The status of the issue. Every status except closed is open.',
        example: 'in_progress',
      }),
      risk_id: nullable(id('rsk', 'The id of the risk that occurred as this issue.')),
      opened_at: timestamp({
        description: 'When the issue was opened.',
        example: '2026-11-20T07:40:00.000Z',
      }),
      close_reason: nullable(
        openEnum(issueCloseReasons, {
          description: 'The reason for closing.',
          example: 'resolved',
        }),
      ),
      close_note: nullable(
        multiLine(5000, {
          description: 'A note on the closing.',
          example: 'New foundation.',
        }),
      ),
      closed_at: nullable(
        timestamp({
          description: 'When the issue was closed.',
          example: '2026-11-29T16:00:00.000Z',
        }),
      ),
      reopened_count: integer(0, 1_000_000, {
        description: 'How often the issue was reopened.',
        example: 0,
      }),
      ...labelFields(issueFlags, 'overdue'),
      ...auditFields('the issue'),
    },
    { title: 'Issue', description: 'A problem in a project.' },
  ),
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

/** The fields that a client sets on creation and changes with PATCH. */
const writable = {
  ...about,
  type: closedEnum(issueTypes, { description: 'The type of the issue.', example: 'problem' }),
  status: closedEnum(openIssueStatuses, {
    description: 'The status. Use `close` to close the issue.',
    example: 'in_progress',
  }),
  tags,
  links: evidenceLinksInput,
  metadata: Metadata,
}

export const NewIssue = createSchema({ title: about.title, severity: about.severity }, writable, {
  title: 'NewIssue',
  description: 'An issue to create. Default: status open, type problem.',
  example: { title: 'Crane foundation cracked', severity: 4, due_on: '2027-03-01' },
})
export type NewIssue = Static<typeof NewIssue>

/** PATCH changes between open statuses. It accepts `closed` only for a closed issue. */
const patchable = {
  ...writable,
  status: closedEnum(issueStatuses, {
    description: 'Open, in progress or blocked. Use `close` to close the issue.',
    example: 'in_progress',
  }),
}

export const IssuePatch = patchSchema(
  Issue,
  { ...patchable, metadata: MetadataPatch },
  {
    title: 'IssuePatch',
    description: 'A JSON merge patch.',
    example: { status: 'blocked', blocked_reason: 'Waiting for the supplier.' },
  },
)
export type IssuePatch = Static<typeof IssuePatch>

/** A row of a batch: with an `id` it updates that issue, without one it creates an issue. */
export const IssueRow = patchSchema(Issue, patchable, {
  title: 'IssueRow',
  description:
    'With `id`, the row updates that issue. Without `id`, it creates an issue and read-only ' +
    'fields are ignored.',
  example: { title: 'Gate 3 does not close', severity: 3, tags: ['gates'] },
})
export type IssueRow = Static<typeof IssueRow>
