import {
  type bases,
  type Issue,
  type IssueSummary,
  levels,
  openIssueStatuses,
  openTaskStatuses,
  type Project,
  type ProjectSummary,
  type Risk,
  type RiskSummary,
  type Task,
  type TaskSummary,
  liveRiskStatuses,
  riskFlags,
} from '@muster/contract'

import { isOpen } from '#test/model/projects/issues'
import { isLive } from '#test/model/projects/risks'

type Basis = (typeof bases)[number]
type Projects = ReadonlyMap<string, Project>

const ascending = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** Live risks, worst first: score descending, impact descending, id ascending. */
export const rankedRisks = (risks: Iterable<Risk>): Risk[] =>
  [...risks]
    .filter(isLive)
    .toSorted((a, b) => b.score - a.score || b.impact - a.impact || ascending(a.id, b.id))

/** Open issues, worst first: severity descending, longest open first, id ascending. */
export const rankedIssues = (issues: Iterable<Issue>): Issue[] =>
  [...issues]
    .filter(isOpen)
    .toSorted(
      (a, b) =>
        b.severity - a.severity || ascending(a.opened_at, b.opened_at) || ascending(a.id, b.id),
    )

/** The latest first; of the same instant, the newest id first. */
const latestFirst = <T extends { id: string }>(items: T[], instantOf: (item: T) => string | null) =>
  items.toSorted(
    (a, b) => ascending(instantOf(b) ?? '', instantOf(a) ?? '') || ascending(b.id, a.id),
  )

/** Risks that are not live, by the time of closing, else of occurrence. */
export const closedRisks = (risks: Iterable<Risk>): Risk[] =>
  latestFirst(
    [...risks].filter((risk) => !isLive(risk)),
    ({ closed_at, occurred_at }) => closed_at ?? occurred_at,
  )

/** Closed issues, by the time of closing. */
export const closedIssues = (issues: Iterable<Issue>): Issue[] =>
  latestFirst(
    [...issues].filter((issue) => !isOpen(issue)),
    ({ closed_at }) => closed_at,
  )

const nameOf = (projects: Projects, id: string) => {
  const { code = '', name = '' } = projects.get(id) ?? {}
  return { id, code, name }
}

/** Items as a roll-up shows them: with their project and their rank in this list. */
export const viewed = <T extends { project_id: string }>(items: readonly T[], projects: Projects) =>
  items.map((item, index) => ({
    ...item,
    project: nameOf(projects, item.project_id),
    rank: index + 1,
  }))

/** Items with their project, without a rank. */
export const withProject = <T extends { project_id: string }>(
  items: readonly T[],
  projects: Projects,
) => items.map((item) => ({ ...item, project: nameOf(projects, item.project_id) }))

const countIf = <T>(items: readonly T[], isCounted: (item: T) => boolean) =>
  items.filter(isCounted).length

const countBy = <T, V extends string>(
  items: readonly T[],
  values: readonly V[],
  isOf: (item: T, value: V) => boolean,
) => Object.fromEntries(values.map((value) => [value, countIf(items, (item) => isOf(item, value))]))

/** Counts per key, highest first; equal counts by key, null last. */
function topCounts<T>(items: readonly T[], keyOf: (item: T) => string | null) {
  const counts = new Map<string | null, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return [...counts]
    .map(([key, count]) => ({ key, count }))
    .toSorted((a, b) => b.count - a.count || ascending(a.key ?? '~', b.key ?? '~'))
    .slice(0, 50)
}

const byProject = (items: readonly { project_id: string }[], projects: Projects) =>
  topCounts(items, ({ project_id }) => project_id).map(({ key, count }) => ({
    project: nameOf(projects, key ?? ''),
    count,
  }))

const bands = { low: [1, 5], medium: [6, 11], high: [12, 19], critical: [20, 25] } as const

function isOfLevel(score: number, level: keyof typeof bands): boolean {
  const [low, high] = bands[level]
  return score >= low && score <= high
}

/** Whether the risk has an acceptance without the flag that it has expired. */
export const isAcceptanceValid = ({ acceptance, flags }: Risk) =>
  acceptance !== null && !flags.includes('acceptance_expired')

/** The expected risk summary, counted item by item. */
export function riskSummary(
  risks: readonly Risk[],
  { projects, basis }: { projects: Projects; basis: Basis },
): Omit<RiskSummary, 'as_of'> {
  const ratings = risks
    .map((risk) => (basis === 'current' ? risk : risk[basis]))
    .filter((rating) => rating !== null)
  const cells = new Map<string, { likelihood: number; impact: number; count: number }>()
  for (const { likelihood, impact } of ratings) {
    const cell = cells.get(`${likelihood}${impact}`) ?? { likelihood, impact, count: 0 }
    cells.set(`${likelihood}${impact}`, { ...cell, count: cell.count + 1 })
  }
  return {
    basis,
    count: risks.length,
    rated: ratings.length,
    by_level: countBy(ratings, levels, ({ score }, level) => isOfLevel(score, level)) as never,
    cells: [...cells.values()].toSorted(
      (a, b) => b.likelihood * b.impact - a.likelihood * a.impact || b.impact - a.impact,
    ),
    by_status: countBy(risks, liveRiskStatuses, ({ status }, value) => status === value) as never,
    by_flag: countBy(risks, riskFlags, ({ flags }, flag) => flags.includes(flag)) as never,
    above_appetite_not_accepted: countIf(
      risks,
      (risk) => risk.flags.includes('above_appetite') && !isAcceptanceValid(risk),
    ),
    by_project: byProject(risks, projects),
    by_owner: topCounts(risks, ({ owner_user_id }) => owner_user_id).map(({ key, count }) => ({
      owner_user_id: key,
      count,
    })),
  }
}

/** The expected issue summary, counted item by item. */
export function issueSummary(
  issues: readonly Issue[],
  projects: Projects,
): Omit<IssueSummary, 'as_of'> {
  const months = [...new Set(issues.map(({ opened_at }) => opened_at.slice(0, 7)))].toSorted()
  const severities = [5, 4, 3, 2, 1]
  const cells = severities.flatMap((severity) =>
    months.map((month) => ({
      severity,
      month,
      count: countIf(
        issues,
        (issue) => issue.severity === severity && issue.opened_at.startsWith(month),
      ),
    })),
  )
  return {
    count: issues.length,
    by_severity: severities.map((severity) => ({
      severity,
      count: countIf(issues, (issue) => issue.severity === severity),
    })),
    by_status: countBy(issues, openIssueStatuses, ({ status }, value) => status === value) as never,
    by_flag: { overdue: countIf(issues, ({ flags }) => flags.includes('overdue')) },
    by_month: months.map((month) => ({
      month,
      count: countIf(issues, ({ opened_at }) => opened_at.startsWith(month)),
    })),
    cells: cells.filter(({ count }) => count > 0),
    by_project: byProject(issues, projects),
    by_assignee: topCounts(issues, ({ assignee_user_id }) => assignee_user_id).map(
      ({ key, count }) => ({
        assignee_user_id: key,
        count,
      }),
    ),
  }
}

/** The expected summary of open tasks on this day, counted item by item. */
export const taskSummary = (
  open: readonly Task[],
  { projects, today }: { projects: Projects; today: string },
): Omit<TaskSummary, 'as_of'> => ({
  count: open.length,
  overdue: countIf(open, ({ due_on }) => due_on !== null && due_on < today),
  by_status: countBy(open, openTaskStatuses, ({ status }, value) => status === value) as never,
  by_project: byProject(open, projects),
})

/** The expected summary of one project. */
export function projectSummary(risks: readonly Risk[], issues: readonly Issue[]): ProjectSummary {
  const [live, open] = [rankedRisks(risks), rankedIssues(issues)]
  return {
    live_risks: live.length,
    highest_score: live[0]?.score ?? null,
    risks_by_level: countBy(live, levels, ({ score }, level) => isOfLevel(score, level)) as never,
    open_issues: open.length,
    highest_severity: open[0]?.severity ?? null,
  }
}
