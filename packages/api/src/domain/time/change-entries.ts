import {
  type ChangedIssue,
  type ChangedProject,
  type ChangedRisk,
  isOpen,
  type IssueGroup,
  type IssueState,
  type ProjectName,
  type ProjectState,
  type RiskGroup,
  type RiskState,
  stepsMax,
} from '@muster/contract'

import { level, scaleAt } from '#domain/rules/score'
import { type ChangeStep, type KeptProject, selectProjectsAt } from '#storage/nouns/changes'
import type { StoredIssue } from '#storage/nouns/issues'
import type { StoredRisk } from '#storage/nouns/risks'
import { nounOf } from '#storage/schema/nouns'
import type { Read } from '#storage/statements/access'

import { issueGroup, riskGroup } from './change-groups.ts'
import { type Flows, noFlows } from './figures.ts'
import { type Interval, readStates, type Touched } from './touched-items.ts'

/** An entry in its group. */
export interface Grouped<Entry, Group> {
  readonly group: Group
  readonly entry: Entry
  readonly flows: Flows
}

/** What the caller asks for, and what is known about both points. */
export interface EntryContext {
  readonly read: Read
  readonly interval: Interval
  readonly nameOf: (projectId: string) => ProjectName
  readonly isAsked: (projectId: string) => boolean
  readonly isOwned: (userId: string | null) => boolean
  /** The ranks of risks at both points. */
  readonly ranks: Readonly<Record<keyof Interval, ReadonlyMap<string, number>>>
}

/** Reads the states of items at both points. */
async function bothStates<N extends 'risk' | 'issue'>(
  { read, interval: { since, until } }: EntryContext,
  noun: N,
  touched: readonly Touched[],
) {
  const ids = touched.map(({ id }) => id)
  const before = await readStates(read, { noun, seq: since, ids })
  const after = await readStates(read, { noun, seq: until, ids })
  return { before, after }
}

interface Located {
  readonly project_id: string
}

/** Whether one of the states, or a step in between, is in an asked project. */
const isInAsked = (
  { isAsked }: EntryContext,
  { projects }: Touched,
  states: readonly (Located | null)[],
) =>
  states.some((state) => state !== null && isAsked(state.project_id)) ||
  [...projects].some((id) => isAsked(id))

const commonFields = ({ count, steps }: Touched) => ({
  step_count: count,
  steps: steps.slice(-stepsMax).map(presentStep),
})

/** The cast holds because the service records only actors of the contract. */
function presentStep(changed: ChangeStep) {
  const { project_id: _, subject_id, actor, ...step } = changed
  const task_id = nounOf(step.type) === 'task' ? subject_id : null
  return { ...step, task_id, actor: actor as ChangedRisk['steps'][number]['actor'] }
}

export async function readChangedRisks(
  context: EntryContext,
  touched: readonly Touched[],
): Promise<Grouped<ChangedRisk, RiskGroup>[]> {
  const { interval, ranks } = context
  const states = await bothStates(context, 'risk', touched)
  return touched.flatMap((each) => {
    const [was, is] = [states.before.get(each.id) ?? null, states.after.get(each.id) ?? null]
    const known = is ?? was
    if (known === null || !isInAsked(context, each, [was, is])) return []
    if (![was, is].some((state) => state && context.isOwned(state.owner_user_id))) return []
    const before = was && riskState(was, interval.since, ranks.since)
    const after = is && riskState(is, interval.until, ranks.until)
    const group = riskGroup({ ...factsOf(context, each), before, after })
    const had = new Set(was?.issue_ids)
    const entry = {
      id: each.id,
      ref: known.ref,
      title: known.title,
      project: context.nameOf(known.project_id),
      before,
      after,
      issue_ids: is?.issue_ids.filter((id) => !had.has(id)) ?? [],
      ...commonFields(each),
    }
    return [{ group, entry, flows: noFlows }]
  })
}

const factsOf = ({ isAsked }: EntryContext, { types, changed }: Touched) => ({
  isAsked,
  changed,
  types: new Set(types.keys()),
})

function riskState(risk: StoredRisk, seq: number, ranks: ReadonlyMap<string, number>): RiskState {
  const { project_id, status, likelihood, impact, score, owner_user_id, flags } = risk
  return {
    project_id,
    status,
    likelihood,
    impact,
    score,
    level: level(score, scaleAt(seq)),
    rank: ranks.get(risk.id) ?? null,
    owner_user_id,
    flags,
  }
}

export async function readChangedIssues(
  context: EntryContext,
  touched: readonly Touched[],
): Promise<Grouped<ChangedIssue, IssueGroup>[]> {
  const states = await bothStates(context, 'issue', touched)
  return touched.flatMap((each) => {
    const [was, is] = [states.before.get(each.id) ?? null, states.after.get(each.id) ?? null]
    const known = is ?? was
    if (known === null || !isInAsked(context, each, [was, is])) return []
    if (![was, is].some((state) => state && context.isOwned(state.assignee_user_id))) return []
    const [before, after] = [was && issueState(was), is && issueState(is)]
    const entry = {
      id: each.id,
      ref: known.ref,
      title: known.title,
      project: context.nameOf(known.project_id),
      before,
      after,
      risk_id: known.risk_id,
      ...commonFields(each),
    }
    const group = issueGroup({ ...factsOf(context, each), before, after })
    return [{ group, entry, flows: issueFlows(each, after) }]
  })
}

const issueState = ({
  project_id,
  status,
  severity,
  assignee_user_id,
  flags,
}: StoredIssue): IssueState => ({ project_id, status, severity, assignee_user_id, flags })

/** An issue that was created open counts as opened. One that was created closed does not. */
function issueFlows({ types }: Touched, after: IssueState | null): Flows {
  const countOf = (type: 'issue.created' | 'issue.closed' | 'issue.reopened') =>
    types.get(type) ?? 0
  const [closed, reopened] = [countOf('issue.closed'), countOf('issue.reopened')]
  const isOpenNow = after !== null && isOpen(after.status) ? 1 : 0
  const created = countOf('issue.created') > 0 ? isOpenNow + closed - reopened : 0
  return { issues_opened: created + reopened, issues_closed: closed, tasks_done: 0 }
}

/** Projects whose health was set, or is another. */
export async function readChangedProjects(
  { read, interval, nameOf, isAsked, isOwned }: EntryContext,
  touched: readonly Touched[],
): Promise<Grouped<ChangedProject, 'health'>[]> {
  const ids = touched.map(({ id }) => id).filter(isAsked)
  const [before, after] = [
    await readProjects(read, { ids, seq: interval.since }),
    await readProjects(read, { ids, seq: interval.until }),
  ]
  return touched.flatMap((each) => {
    const [was, is] = [before.get(each.id) ?? null, after.get(each.id) ?? null]
    const isHealthSet = each.changed.has('health') || (was?.health ?? null) !== (is?.health ?? null)
    if (is === null || !isHealthSet) return []
    if (![was, is].some((state) => state && isOwned(state.owner_user_id))) return []
    const entry = {
      id: each.id,
      ref: is.code,
      title: is.name,
      project: nameOf(each.id),
      before: was && projectState(was),
      after: projectState(is),
      ...commonFields(each),
    }
    return [{ group: 'health' as const, entry, flows: noFlows }]
  })
}

async function readProjects(
  read: Read,
  query: Parameters<typeof selectProjectsAt>[1],
): Promise<Map<string, KeptProject>> {
  return new Map((await selectProjectsAt(read, query)).map((project) => [project.id, project]))
}

const projectState = ({
  status,
  health,
  health_note,
  owner_user_id,
}: KeptProject): ProjectState => ({
  status,
  health,
  health_note,
  owner_user_id,
})
