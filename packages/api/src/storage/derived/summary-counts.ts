import { type Compilable, sql } from 'kysely'

import type { Read } from './database.ts'
import { encodeId, uuidOf } from './id.ts'
import { isOwn, nil } from './keyset.ts'
import { compilable } from './rows.ts'

export type TallyNoun = 'risk' | 'issue'

/** One thing that a live risk or an open issue is counted under. */
export interface Tally {
  readonly noun: TallyNoun
  /** A UUID; nil for the workspace as a whole. */
  readonly project: string
  readonly dimension: string
  readonly value: string
}

/**
 * Counts an item under each of these, in its project and in the workspace; and in the workspace
 * under its project.
 */
export function talliesOf(
  noun: TallyNoun,
  project: string,
  counted: Readonly<Record<string, string | readonly string[] | null>>,
): Tally[] {
  const own = Object.entries(counted).flatMap(([dimension, values]) =>
    [values ?? []].flat().flatMap((value) => [
      { noun, project, dimension, value },
      { noun, project: nil, dimension, value },
    ]),
  )
  return [...own, { noun, project: nil, dimension: 'project', value: project }]
}

/** Adds up what a write moves. What comes and goes in one write costs nothing. */
export class TallySheet {
  readonly #moved = new Map<string, { tally: Tally; by: number }>()

  add(tallies: readonly Tally[], by: number): void {
    for (const tally of tallies) {
      const { noun, project, dimension, value } = tally
      const name = [noun, project, dimension, value].join('\n')
      const sum = (this.#moved.get(name)?.by ?? 0) + by
      this.#moved.set(name, { tally, by: sum })
    }
  }

  /** Less first: no number passes through more than there is. */
  statements(read: Read): Compilable[] {
    const moved = [...this.#moved.values()]
    const less = moved.filter(({ by }) => by < 0)
    const more = moved.filter(({ by }) => by > 0)
    return [
      ...(less.length > 0 ? [takeAway(read, less)] : []),
      ...(more.length > 0 ? [putIn(read, more)] : []),
    ]
  }
}

type Moved = readonly { tally: Tally; by: number }[]

const sheet = (moved: Moved) => sql`unnest(
  ${moved.map(({ tally }) => tally.noun)}::text[],
  ${moved.map(({ tally }) => tally.project)}::uuid[],
  ${moved.map(({ tally }) => tally.dimension)}::text[],
  ${moved.map(({ tally }) => tally.value)}::text[],
  ${moved.map(({ by }) => Math.abs(by))}::integer[]
) as moved (noun, project_id, dimension, value, by)`

const takeAway = (read: Read, moved: Moved) =>
  compilable(
    read,
    sql`update tallies as kept set count = kept.count - moved.by from ${sheet(moved)}
      where ${isOwn(read, 'kept')} and kept.noun = moved.noun
        and kept.project_id = moved.project_id and kept.dimension = moved.dimension
        and kept.value = moved.value`,
  )

const putIn = (read: Read, moved: Moved) =>
  compilable(
    read,
    sql`insert into tallies as kept (workspace_id, noun, project_id, dimension, value, count)
      select ${read.workspaceId}::uuid, noun, project_id, dimension, value, by from ${sheet(moved)}
      on conflict (workspace_id, noun, project_id, dimension, value)
      do update set count = kept.count + excluded.count`,
  )

export interface Counted {
  readonly dimension: string
  readonly value: string
  readonly count: number
}

/** What a summary shows whole: there are few values of each. */
const narrow = {
  risk: ['current', 'inherent', 'target', 'status', 'flag'],
  issue: ['cell', 'status', 'flag'],
}
/** There are as many of these as people or projects: only those that count most are shown. */
const wideOf = { risk: ['owner', 'project'], issue: ['assignee', 'project'] }
export const wide = [...new Set(Object.values(wideOf).flat())]
export const widest = 50

/**
 * The counts of the workspace, or of these projects together: every value of the narrow dimensions,
 * and of each wide one the values that count most.
 */
export async function selectTallies(
  read: Read,
  noun: TallyNoun,
  projectIds: readonly string[] | null,
): Promise<Counted[]> {
  const scopes = projectIds?.map(uuidOf) ?? [nil]
  const results = await Promise.all([
    summed(read, noun, { scopes, dimensions: narrow[noun], most: null }),
    ...wideOf[noun].map((dimension) =>
      summed(read, noun, { scopes, dimensions: [dimension], most: widest }),
    ),
    ...(projectIds === null ? [] : [selectProjectCounts(read, noun, scopes)]),
  ])
  return results.flatMap(({ rows }) => rows)
}

interface Sums {
  readonly scopes: readonly string[]
  readonly dimensions: readonly string[]
  readonly most: number | null
}

/**
 * Every scope and dimension is looked up by itself, as a lane of the index that has the most first;
 * the limit within keeps them apart. Only of a single scope can it cut what is read: the values of
 * several must all be added up.
 */
function summed(read: Read, noun: TallyNoun, { scopes, dimensions, most }: Sums) {
  const cut = scopes.length === 1 ? most : null
  return sql<Counted>`
    select asked.dimension, kept.value, sum(kept.count)::integer as count
    from unnest(${scopes}::uuid[]) as scope (id)
    cross join unnest(${dimensions}::text[]) as asked (dimension)
    cross join lateral (
      select value, count from tallies
      where ${isOwn(read, 'tallies')} and noun = ${noun} and project_id = scope.id
        and tallies.dimension = asked.dimension and count > 0
      order by count desc, value limit ${cut}::integer
    ) as kept
    group by asked.dimension, kept.value
    order by count desc, kept.value limit ${most}::integer`.execute(read.db)
}

/** How many there are in each of these projects: counted in the workspace, under the project. */
function selectProjectCounts(read: Read, noun: TallyNoun, uuids: readonly string[]) {
  return sql<Counted>`
    select 'project' as dimension, asked.value, kept.count
    from unnest(${uuids}::text[]) as asked (value)
    cross join lateral (
      select count from tallies
      where ${isOwn(read, 'tallies')} and noun = ${noun} and project_id = ${nil}
        and dimension = 'project' and tallies.value = asked.value and count > 0
      limit 1
    ) as kept
    order by kept.count desc, asked.value collate "C"`.execute(read.db)
}

export interface ProjectCount {
  readonly noun: TallyNoun
  readonly project_id: string
  readonly value: string
  readonly count: number
}

/** The cells of the live risks and the severities of the open issues of each of these projects. */
export async function selectProjectTallies(read: Read, projectIds: readonly string[]) {
  const { rows } = await sql<ProjectCount>`
    select asked.noun, scope.id as project_id, kept.value, kept.count
    from unnest(${projectIds.map(uuidOf)}::uuid[]) as scope (id)
    cross join (values ('risk', 'current'), ('issue', 'severity')) as asked (noun, dimension)
    cross join lateral (
      select value, count from tallies
      where ${isOwn(read, 'tallies')} and noun = asked.noun and project_id = scope.id
        and dimension = asked.dimension and count > 0
      limit 25
    ) as kept`.execute(read.db)
  return rows.map((row) => ({ ...row, project_id: encodeId('prj', row.project_id) }))
}
