/** The group of a changed item: the first rule that applies. Pure. */

import {
  type EventType,
  isLive,
  isOpen,
  type IssueGroup,
  type IssueState,
  type RiskGroup,
  type RiskState,
} from '@muster/contract'

/** An item at both points, and what happened to it in between. */
interface Change<State> {
  readonly before: State | null
  readonly after: State | null
  /** The types of its own events, and the fields that they name. */
  readonly types: ReadonlySet<EventType>
  readonly changed: ReadonlySet<string>
  /** Whether a project is one of those that were asked for. */
  readonly isAsked: (projectId: string) => boolean
}

type RiskChange = Change<RiskState>
type IssueChange = Change<IssueState>

type Rules<State, Group> = readonly (readonly [Group, (change: Change<State>) => boolean])[]

interface Placed {
  readonly project_id: string
  readonly status: string
}

const isLiveIn = ({ isAsked }: RiskChange, state: Placed | null) =>
  state !== null && isLive(state.status) && isAsked(state.project_id)

const isOpenIn = ({ isAsked }: IssueChange, state: Placed | null) =>
  state !== null && isOpen(state.status) && isAsked(state.project_id)

/** Whether the item was in an asked project at the beginning, with any status. */
const isKnown = ({ before, isAsked }: IssueChange) => before !== null && isAsked(before.project_id)

const hasAny = <T>(set: ReadonlySet<T>, values: readonly T[]) =>
  values.some((value) => set.has(value))

/** It was reopened, or created and then ended, or moved through an asked project. */
const wasLiveBetween = ({ types, changed }: RiskChange) =>
  types.has('risk.reopened') ||
  (types.has('risk.created') && hasAny(types, ['risk.closed', 'risk.occurred'])) ||
  changed.has('project_id')

const wasOpenBetween = ({ types, changed }: IssueChange) =>
  types.has('issue.reopened') ||
  (types.has('issue.created') && types.has('issue.closed')) ||
  changed.has('project_id')

const gained = (
  { before, after }: Change<{ readonly flags: readonly string[] }>,
  flags: readonly string[],
) => flags.some((flag) => after?.flags.includes(flag) && !before?.flags.includes(flag))

/** By how much a value is higher at the end; 0 for an item that is missing at one point. */
const rise = <State>({ before, after }: Change<State>, valueOf: (state: State) => number) =>
  before === null || after === null ? 0 : valueOf(after) - valueOf(before)

const scoreOf = ({ score }: RiskState) => score
const severityOf = ({ severity }: IssueState) => severity

const decisions = [
  'risk.reviewed',
  'risk.accepted',
  'risk.occurred',
  'risk.closed',
  'risk.reopened',
] as const
const decidedFields = ['status', 'response', 'score', 'likelihood', 'impact', 'owner_user_id']

const riskRules: Rules<RiskState, RiskGroup> = [
  [
    'left',
    (change) =>
      !isLiveIn(change, change.after) &&
      (isLiveIn(change, change.before) || wasLiveBetween(change)),
  ],
  ['entered', (change) => isLiveIn(change, change.after) && !isLiveIn(change, change.before)],
  ['rose', (change) => rise(change, scoreOf) > 0],
  ['fell', (change) => rise(change, scoreOf) < 0],
  [
    'handed_over',
    ({ before, after }) =>
      before !== null && after !== null && before.owner_user_id !== after.owner_user_id,
  ],
  // What was undone names its fields too.
  ['decided', ({ types, changed }) => hasAny(types, decisions) || hasAny(changed, decidedFields)],
  ['became_due', (change) => gained(change, ['review_overdue', 'acceptance_expired'])],
]

const issueRules: Rules<IssueState, IssueGroup> = [
  [
    'closed',
    (change) =>
      !isOpenIn(change, change.after) &&
      (isOpenIn(change, change.before) || wasOpenBetween(change)),
  ],
  ['opened', (change) => isOpenIn(change, change.after) && !isKnown(change)],
  [
    'reopened',
    (change) =>
      isOpenIn(change, change.after) &&
      (!isOpenIn(change, change.before) || change.types.has('issue.reopened')),
  ],
  ['worsened', (change) => rise(change, severityOf) > 0],
  ['eased', (change) => rise(change, severityOf) < 0],
  [
    'handed_over',
    ({ before, after }) =>
      before !== null && after !== null && before.assignee_user_id !== after.assignee_user_id,
  ],
  ['blocked', ({ before, after }) => after?.status === 'blocked' && before?.status !== 'blocked'],
  ['became_due', (change) => gained(change, ['overdue'])],
]

const firstOf = <State, Group>(rules: Rules<State, Group>, change: Change<State>) =>
  rules.find(([, applies]) => applies(change))?.[0]

export const riskGroup = (change: RiskChange): RiskGroup => firstOf(riskRules, change) ?? 'edited'

export const issueGroup = (change: IssueChange): IssueGroup =>
  firstOf(issueRules, change) ?? 'edited'
