import { sql } from 'kysely'

import type { Read, SummaryCount, SummaryNoun } from '#storage/statements/access'
import { isOwn, nil } from '#storage/statements/keyset'
import type { ProjectScope } from '#storage/statements/view'
import { encodeId, uuidOf } from '#storage/values/id'

/**
 * The counts of an item: one for each value, in its project and in the workspace, and one in the
 * workspace for its project.
 */
export function summaryCountsOf(
  noun: SummaryNoun,
  project: string,
  counted: Readonly<Record<string, string | readonly string[] | null>>,
): SummaryCount[] {
  const own = Object.entries(counted).flatMap(([dimension, values]) =>
    [values ?? []].flat().flatMap((value) => [
      { noun, project, dimension, value },
      { noun, project: nil, dimension, value },
    ]),
  )
  return [...own, { noun, project: nil, dimension: 'project', value: project }]
}

export interface DimensionCount {
  readonly dimension: string
  readonly value: string
  readonly count: number
}

/** Dimensions with few values, which a summary shows completely. */
const narrow = {
  risk: ['current', 'inherent', 'target', 'status', 'flag', 'above_appetite'],
  issue: ['cell', 'status', 'flag'],
  task: ['status'],
}
/** Dimensions with a value for each person or project: a summary shows the largest counts. */
const wideOf = {
  risk: ['owner', 'project'],
  issue: ['assignee', 'project'],
  task: ['project'],
}
export const wide = [...new Set(Object.values(wideOf).flat())]
export const widest = 50

/**
 * Reads the counts of the workspace, or of these projects together: all values of narrow
 * dimensions, the largest of wide ones.
 */
export async function selectSummaryCounts(
  read: Read,
  noun: SummaryNoun,
  { uuids }: ProjectScope,
): Promise<DimensionCount[]> {
  const scopes = uuids ?? [nil]
  const results = await Promise.all([
    summed(read, noun, { scopes, dimensions: narrow[noun], most: null }),
    ...wideOf[noun].map((dimension) =>
      summed(read, noun, { scopes, dimensions: [dimension], most: widest }),
    ),
    ...(uuids === null ? [] : [selectCountsOfProjects(read, noun, scopes)]),
  ])
  return results.flatMap(({ rows }) => rows)
}

interface Sums {
  readonly scopes: readonly string[]
  readonly dimensions: readonly string[]
  readonly most: number | null
}

/**
 * Each scope and dimension is one range of the index that is ordered by count; the inner limit
 * keeps them separate. The limit applies only to a single scope, because the values of several must
 * be summed up.
 */
function summed(read: Read, noun: SummaryNoun, { scopes, dimensions, most }: Sums) {
  const cut = scopes.length === 1 ? most : null
  return sql<DimensionCount>`
    select asked.dimension, kept.value, sum(kept.count)::integer as count
    from unnest(${scopes}::uuid[]) as scope (id)
    cross join unnest(${dimensions}::text[]) as asked (dimension)
    cross join lateral (
      select value, count from summary_counts
      where ${isOwn(read, 'summary_counts')} and noun = ${noun} and project_id = scope.id
        and summary_counts.dimension = asked.dimension and count > 0
      order by count desc, value limit ${cut}::integer
    ) as kept
    group by asked.dimension, kept.value
    order by count desc, kept.value limit ${most}::integer`.execute(read.db)
}

/** Reads the number of items of each of these projects. */
function selectCountsOfProjects(read: Read, noun: SummaryNoun, uuids: readonly string[]) {
  return sql<DimensionCount>`
    select 'project' as dimension, asked.value, kept.count
    from unnest(${uuids}::text[]) as asked (value)
    cross join lateral (
      select count from summary_counts
      where ${isOwn(read, 'summary_counts')} and noun = ${noun} and project_id = ${nil}
        and dimension = 'project' and summary_counts.value = asked.value and count > 0
      limit 1
    ) as kept
    order by kept.count desc, asked.value collate "C"`.execute(read.db)
}

export interface ProjectCount {
  readonly noun: SummaryNoun
  readonly project_id: string
  readonly value: string
  readonly count: number
}

/** Reads the cells of the live risks and the severities of the open issues of each project. */
export async function selectProjectCounts(read: Read, projectIds: readonly string[]) {
  const { rows } = await sql<ProjectCount>`
    select asked.noun, scope.id as project_id, kept.value, kept.count
    from unnest(${projectIds.map(uuidOf)}::uuid[]) as scope (id)
    cross join (values ('risk', 'current'), ('issue', 'severity')) as asked (noun, dimension)
    cross join lateral (
      select value, count from summary_counts
      where ${isOwn(read, 'summary_counts')} and noun = asked.noun and project_id = scope.id
        and dimension = asked.dimension and count > 0
      limit 25
    ) as kept`.execute(read.db)
  return rows.map((row) => ({ ...row, project_id: encodeId('prj', row.project_id) }))
}
