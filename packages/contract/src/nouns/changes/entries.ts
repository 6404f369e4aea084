import { Type, type Static, type TProperties } from 'typebox'

import { withExample } from '#contract/examples'
import {
  flagList,
  id,
  integer,
  list,
  multiLine,
  nullable,
  openEnum,
  rating,
  sequenceNumber,
  singleLine,
  timestamp,
} from '#contract/field-schemas'
import { Actor } from '#contract/history'
import { issueFlags, issueStatuses } from '#contract/nouns/issues/fields'
import { projectHealths, projectStatuses } from '#contract/nouns/projects/fields'
import { riskFlags, riskStatuses } from '#contract/nouns/risks/fields'
import { scoresField } from '#contract/nouns/risks/scores'
import { eventTypes } from '#contract/registry'
import { ProjectName } from '#contract/rollup'
import { levels } from '#contract/scale'

/** The groups of changed risks, issues and projects. An item is in the first group that applies. */
export const changeGroups = {
  risks: ['left', 'entered', 'rose', 'fell', 'handed_over', 'decided', 'became_due', 'edited'],
  issues: [
    'closed',
    'opened',
    'reopened',
    'worsened',
    'eased',
    'handed_over',
    'blocked',
    'became_due',
    'edited',
  ],
  projects: ['health'],
} as const
export type ChangedNoun = keyof typeof changeGroups
export type RiskGroup = (typeof changeGroups.risks)[number]
export type IssueGroup = (typeof changeGroups.issues)[number]

/** The most steps that an entry lists. */
export const stepsMax = 10

const Step = withExample(
  Type.Object(
    {
      seq: sequenceNumber({ description: 'The sequence number of the change.', example: 4711 }),
      type: openEnum(eventTypes, { description: 'The event type.', example: 'risk.reviewed' }),
      task_id: nullable(id('tsk', 'The task that was changed; null for the item itself.')),
      actor: Actor,
      occurred_at: timestamp({
        description: 'When the change was made.',
        example: '2026-10-15T13:00:00.000Z',
      }),
      note: nullable(
        multiLine(5000, { description: 'The note on the change.', example: 'Drains inspected.' }),
      ),
      changed: list(
        singleLine(50, { description: 'The name of a field.', example: 'likelihood' }),
        200,
        'The fields that changed.',
      ),
    },
    { title: 'ChangeStep', description: 'One change of an item, or of a task for it.' },
  ),
  { task_id: null },
)

/** The fields of an entry, between those that identify the item and those of its noun. */
const entry = <const P extends TProperties>(
  subject: { readonly id: ReturnType<typeof id>; readonly ref: string; readonly title: string },
  own: P,
) => ({
  id: subject.id,
  ref: singleLine(24, {
    description: 'The reference; of a project its code.',
    example: subject.ref,
  }),
  title: singleLine(200, {
    description: 'The title at the end; of a project its name.',
    example: subject.title,
  }),
  project: ProjectName,
  ...own,
  step_count: integer(1, Number.MAX_SAFE_INTEGER, {
    description: 'The number of changes between the points.',
    example: 1,
  }),
  steps: list(Step, stepsMax, `The last ${stepsMax} of these changes, oldest first.`),
})

const ownerAt = (what: string) => nullable(id('usr', `The user id of the ${what}.`))
const projectAt = id('prj', 'The id of its project then.')

export const RiskState = Type.Object(
  {
    project_id: projectAt,
    status: openEnum(riskStatuses, { description: 'The status.', example: 'treating' }),
    likelihood: rating({ description: 'The likelihood.', example: 3 }),
    impact: rating({ description: 'The impact.', example: 4 }),
    score: integer(1, 25, { description: 'Likelihood times impact.', example: 12 }),
    level: openEnum(levels, { description: 'The level of the score.', example: 'high' }),
    rank: nullable(
      integer(1, 1_000_000, {
        description: 'The rank among all live risks that you may see. Null if it is not live.',
        example: 2,
      }),
    ),
    owner_user_id: ownerAt('owner'),
    flags: flagList(riskFlags, 'review_overdue'),
  },
  { title: 'RiskState', description: 'A risk at one end. Null if it did not exist for you.' },
)
export type RiskState = Static<typeof RiskState>

export const IssueState = Type.Object(
  {
    project_id: projectAt,
    status: openEnum(issueStatuses, { description: 'The status.', example: 'in_progress' }),
    severity: rating({ description: 'The severity.', example: 4 }),
    assignee_user_id: ownerAt('assignee'),
    flags: flagList(issueFlags, 'overdue'),
  },
  { title: 'IssueState', description: 'An issue at one end. Null if it did not exist for you.' },
)
export type IssueState = Static<typeof IssueState>

export const ProjectState = Type.Object(
  {
    status: openEnum(projectStatuses, { description: 'The status.', example: 'active' }),
    health: nullable(openEnum(projectHealths, { description: 'The health.', example: 'at_risk' })),
    health_note: nullable(
      multiLine(500, { description: 'The reason for the health.', example: 'The steel is late.' }),
    ),
    owner_user_id: ownerAt('owner'),
  },
  { title: 'ProjectState', description: 'A project at one end. Null if it did not exist.' },
)
export type ProjectState = Static<typeof ProjectState>

export const ChangedRisk = Type.Object(
  entry(
    { id: id('rsk', 'The id of the risk.'), ref: 'DAM-R12', title: 'Uplift under the basin' },
    {
      before: nullable(RiskState),
      after: nullable(RiskState),
      issue_ids: list(
        id('iss', 'The id of an issue.'),
        100,
        'The issues that the risk became between the points.',
      ),
      scores: Type.Optional(scoresField),
    },
  ),
  { title: 'ChangedRisk', description: 'A risk that changed between the points.' },
)
export type ChangedRisk = Static<typeof ChangedRisk>

export const ChangedIssue = Type.Object(
  entry(
    { id: id('iss', 'The id of the issue.'), ref: 'DAM-I7', title: 'Crane foundation cracked' },
    {
      before: nullable(IssueState),
      after: nullable(IssueState),
      risk_id: nullable(id('rsk', 'The id of the risk that occurred as this issue.')),
    },
  ),
  { title: 'ChangedIssue', description: 'An issue that changed between the points.' },
)
export type ChangedIssue = Static<typeof ChangedIssue>

export const ChangedProject = Type.Object(
  entry(
    { id: id('prj', 'The id of the project.'), ref: 'DAM', title: 'Norrfors dam renewal' },
    { before: nullable(ProjectState), after: nullable(ProjectState) },
  ),
  { title: 'ChangedProject', description: 'A project whose health was set between the points.' },
)
export type ChangedProject = Static<typeof ChangedProject>
