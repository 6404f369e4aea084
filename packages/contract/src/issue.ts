import { Type, type Static } from 'typebox'

import {
  choice,
  date,
  id,
  instant,
  integer,
  known,
  lifetime,
  line,
  marks,
  Metadata,
  MetadataPatch,
  nullable,
  prose,
  rating,
  tags,
} from './fields.ts'
import { newOf, patchOf } from './patch.ts'

/** Open = not closed; there is nothing in between. */
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
  title: line(200, {
    description: 'The issue in one line.',
    example: 'Crane foundation cracked',
  }),
  description: nullable(
    prose(5000, {
      description: 'What is wrong, and since when.',
      example: 'Found at the morning inspection; the crane is out of use.',
    }),
  ),
  severity: rating({
    description: 'How much harm it does, on the same scale as the impact of a risk.',
    example: 4,
  }),
  assignee_user_id: nullable(id('usr', 'The user id of the person who deals with it.')),
  due_on: nullable(date({ description: 'When it is to be solved.', example: '2024-12-01' })),
  blocked_reason: nullable(
    prose(500, { description: 'What holds it up.', example: 'Waiting for the supplier.' }),
  ),
}

export const Issue = Type.Object(
  {
    id: id('iss', 'The id of this issue.'),
    ref: line(24, {
      description: 'What people call it: the project code and a number, never used again.',
      example: 'DAM-I7',
    }),
    project_id: id('prj', 'The project it belongs to.'),
    ...about,
    type: known(issueTypes, { description: 'What kind it is.', example: 'problem' }),
    status: known(issueStatuses, {
      description: 'Where the issue is in its life. All but closed are open.',
      example: 'in_progress',
    }),
    risk_id: nullable(id('rsk', 'The risk that came true as this issue.')),
    opened_at: instant({ description: 'When it was opened.', example: '2024-11-20T07:40:00.000Z' }),
    close_reason: nullable(
      known(issueCloseReasons, { description: 'How it ended.', example: 'resolved' }),
    ),
    close_note: nullable(
      prose(5000, { description: 'What there is to say about it.', example: 'New foundation.' }),
    ),
    closed_at: nullable(
      instant({ description: 'When it was closed.', example: '2024-11-29T16:00:00.000Z' }),
    ),
    reopened_count: integer(0, 1_000_000, {
      description: 'How often it was reopened.',
      example: 0,
    }),
    ...marks(issueFlags, 'overdue'),
    ...lifetime('the issue', 'entered'),
  },
  { title: 'Issue', description: 'Something that is going wrong in a project.' },
)
export type Issue = Static<typeof Issue>

/** What can be said when an issue is opened, and changed by PATCH. */
const writable = {
  ...about,
  type: choice(issueTypes, { description: 'What kind it is.', example: 'problem' }),
  status: choice(openIssueStatuses, {
    description: 'Where it is in its life. Closing is an operation of its own.',
    example: 'in_progress',
  }),
  tags,
  metadata: Metadata,
}

export const NewIssue = newOf({ title: about.title, severity: about.severity }, writable, {
  title: 'NewIssue',
  description: 'An issue to open. It is an open problem by default.',
  example: { title: 'Crane foundation cracked', severity: 4, due_on: '2027-03-01' },
})
export type NewIssue = Static<typeof NewIssue>

/** PATCH moves between the open statuses; closed is taken only as it is. */
const patchable = {
  ...writable,
  status: choice(issueStatuses, {
    description: 'Open, in progress or blocked. Closing is an operation of its own.',
    example: 'in_progress',
  }),
}

export const IssuePatch = patchOf(
  Issue,
  { ...patchable, metadata: MetadataPatch },
  {
    title: 'IssuePatch',
    description: 'What to change: a JSON merge patch.',
    example: { status: 'blocked', blocked_reason: 'Waiting for the supplier.' },
  },
)
export type IssuePatch = Static<typeof IssuePatch>

/** A row of a batch: with an `id` a change of that issue, without one a new issue. */
export const IssueRow = patchOf(Issue, patchable, {
  title: 'IssueRow',
  description:
    'With `id`: what to change of that issue. Without: an issue to open; what the service sets ' +
    'itself is then ignored.',
  example: { title: 'Gate 3 does not close', severity: 3, tags: ['gates'] },
})
export type IssueRow = Static<typeof IssueRow>
