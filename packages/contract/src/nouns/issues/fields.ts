import {
  closedEnum,
  date,
  earlierTime,
  flagList,
  id,
  integer,
  multiLine,
  nullable,
  openEnum,
  rating,
  singleLine,
  timestamp,
  userIdOrNone,
} from '#contract/field-schemas'
import {
  auditedFields,
  choice,
  externalIdField,
  filtered,
  initially,
  linksField,
  metadataField,
  optional,
  readOnly,
  refField,
  required,
  tagsField,
  withDefault,
} from '#contract/fields'
import { valuesFilter } from '#contract/list-operation'

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

/** PATCH changes between open statuses. It accepts `closed` only for a closed issue. */
const changedStatus = closedEnum(issueStatuses, {
  description: 'Open, in progress or blocked. Use `close` to close the issue.',
  example: 'in_progress',
})

const closeNote = multiLine(5000, {
  description: 'A note on the closing.',
  example: 'New foundation.',
})

/** The fields of an issue, in the order of responses. */
export const issueFields = {
  id: readOnly(id('iss', 'The id of this issue.')),
  ref: refField('issues', 'DAM-I7'),
  project_id: readOnly(id('prj', 'The id of its project.')),
  title: required(
    singleLine(200, {
      description: 'A one-line summary of the issue.',
      example: 'Crane foundation cracked',
    }),
  ),
  description: optional(
    multiLine(5000, {
      description: 'The problem in detail.',
      example: 'Found at the morning inspection; the crane is out of use.',
    }),
  ),
  severity: filtered(
    required(
      rating({
        description: 'The severity from 1 to 5, on the same scale as the impact of a risk.',
        example: 4,
      }),
    ),
    valuesFilter(
      rating({ description: 'A severity.', example: 5 }),
      'Only issues with one of these severities.',
    ),
  ),
  assignee_user_id: filtered(
    optional(id('usr', 'The user id of the assignee.')),
    valuesFilter(userIdOrNone, 'Only issues of these assignees; `none` for unassigned issues.'),
  ),
  due_on: optional(
    date({ description: 'The date by which the issue must be solved.', example: '2026-12-01' }),
  ),
  blocked_reason: optional(
    multiLine(500, { description: 'What blocks the issue.', example: 'Waiting for the supplier.' }),
  ),
  type: choice('problem', issueTypes, {
    description: 'The type of the issue.',
    example: 'problem',
  }),
  status: withDefault(
    'open',
    openEnum(issueStatuses, {
      description: 'The status of the issue. Every status except closed is open.',
      example: 'in_progress',
    }),
    {
      create: closedEnum(issueStatuses, {
        description:
          'The status. With `closed`, which needs a `close_reason`, the issue is created closed.',
        example: 'in_progress',
      }),
      patch: changedStatus,
      row: changedStatus,
    },
  ),
  risk_id: filtered(
    readOnly(nullable(id('rsk', 'The id of the risk that occurred as this issue.'))),
    valuesFilter(id('rsk', 'The id of a risk.'), 'Only issues that these risks became.'),
  ),
  opened_at: initially(
    timestamp({ description: 'When the issue was opened.', example: '2026-11-20T07:40:00.000Z' }),
    earlierTime({
      description: 'When the issue was opened. Default: now. It cannot be corrected later.',
      example: '2026-11-20',
    }),
  ),
  close_reason: initially(
    nullable(
      openEnum(issueCloseReasons, { description: 'The reason for closing.', example: 'resolved' }),
    ),
    nullable(
      closedEnum(issueCloseReasons, {
        description: 'The reason for closing. Required with the status `closed`.',
        example: 'resolved',
      }),
    ),
  ),
  close_note: initially(nullable(closeNote), nullable(closeNote)),
  closed_at: initially(
    nullable(
      timestamp({ description: 'When the issue was closed.', example: '2026-11-29T16:00:00.000Z' }),
    ),
    nullable(
      earlierTime({
        description:
          'When the issue was closed, with the status `closed`. Default: now. Not before ' +
          '`opened_at`.',
        example: '2026-11-29T17:00:00+01:00',
      }),
    ),
  ),
  reopened_count: readOnly(
    integer(0, 1_000_000, { description: 'How often the issue was reopened.', example: 0 }),
  ),
  flags: readOnly(flagList(issueFlags, 'overdue')),
  external_id: externalIdField('issue', 'issues', 'SD-2207'),
  tags: tagsField,
  links: linksField,
  metadata: metadataField,
  ...auditedFields('the issue'),
}
