import type { ListedProject, RegisterEntry } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#data/client.ts'

/** A project of the person, with what its owner looks at first. */
export interface OwnProject {
  readonly project: ListedProject
  /** The highest risk; null if there is none. */
  readonly worst: RegisterEntry | null
  readonly lateReviews: number
  readonly lateIssues: number
  readonly lateTasks: number
}

/** The most values of a filter. */
const idsMax = 50
const rowsMax = 1000

/** The projects with these ids, the worst first. The number of requests does not depend on theirs. */
export const ownProjectsQuery = (ids: readonly string[]) =>
  queryOptions({
    // Every change of an item refetches what belongs to people.
    queryKey: ['personnel', 'own-projects', ids],
    queryFn: async ({ signal }): Promise<readonly OwnProject[]> => {
      const project_id = ids.slice(0, idsMax)
      const query = { id: project_id, include: ['summary' as const] }
      const { data: projects } = await client.projects.list({ query }, { signal })
      const [worst, reviews, issues, tasks] = await Promise.all([
        worstRisks(projects, signal),
        client.risks.summary({ query: { project_id, flag: ['review_overdue'] } }, { signal }),
        client.issues.summary({ query: { project_id, flag: ['overdue'] } }, { signal }),
        countLateTasks(project_id, signal),
      ])
      return projects.toSorted(byHealth).map((project) => ({
        project,
        worst: worst.find((risk) => risk.project_id === project.id) ?? null,
        lateReviews: countOf(reviews.by_project, project.id),
        lateIssues: countOf(issues.by_project, project.id),
        lateTasks: tasks.get(project.id) ?? 0,
      }))
    },
    enabled: ids.length > 0,
  })

const places = { off_track: 0, at_risk: 1, on_track: 2 } as const
const placeOf = ({ health }: ListedProject) => (health === null ? 3 : places[health])
const highest = ({ summary }: ListedProject) => summary?.highest_score ?? 0

/** Off track first, projects without a report last; then by the highest risk. */
const byHealth = (a: ListedProject, b: ListedProject) =>
  placeOf(a) - placeOf(b) || highest(b) - highest(a)

/** The highest risk of each project is among those with at least the lowest of the top scores. */
async function worstRisks(projects: readonly ListedProject[], signal: AbortSignal) {
  const scores = projects.map(highest).filter((score) => score > 0)
  if (scores.length === 0) return []
  const query = {
    project_id: projects.map(({ id }) => id),
    score_min: Math.min(...scores),
    limit: rowsMax,
  }
  const { data } = await client.risks.list({ query }, { signal })
  return data
}

/** The summary has one number for all projects. The list starts with the late ones. */
async function countLateTasks(project_id: string[], signal: AbortSignal) {
  const counts = new Map<string, number>()
  const { overdue } = await client.tasks.summary({ query: { project_id } }, { signal })
  if (overdue === 0) return counts
  const query = { project_id, limit: Math.min(overdue, rowsMax) }
  const { data } = await client.tasks.list({ query }, { signal })
  for (const task of data) counts.set(task.project_id, (counts.get(task.project_id) ?? 0) + 1)
  return counts
}

const countOf = (
  counts: readonly { readonly project: { readonly id: string }; readonly count: number }[],
  id: string,
) => counts.find(({ project }) => project.id === id)?.count ?? 0
