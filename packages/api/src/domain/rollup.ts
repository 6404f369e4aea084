import type { PersonName, ProjectName } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { type AsOf, filtersIn, readAsOf } from '#domain/listing'
import { projectNames } from '#domain/project-names'
import type { Database, Snapshot } from '#storage/database'
import { encodeId } from '#storage/id'
import type { Found, Page } from '#storage/keyset'
import { selectPersonNames } from '#storage/personnel'
import { type Counted, selectTallies, type TallyNoun } from '#storage/tallies'

interface Viewed {
  readonly project: ProjectName
  readonly rank: number
}

/**
 * A page of a roll-up: its items with their project, and with the position each has in the list. A
 * cursor carries the position on, before the keys that it was found by.
 */
export async function ranked<S extends { project_id: string }, T>(
  database: Database,
  { snapshot, page }: { snapshot: Snapshot; page: Page },
  {
    select,
    present,
  }: { select: (page: Page) => Promise<Found<S>>; present: (item: S, viewed: Viewed) => T },
): Promise<Found<T>> {
  const [passed = 0, ...after] = page.after ?? []
  const [{ items, next }, nameOf] = await Promise.all([
    select({ after: page.after && after, limit: page.limit }),
    projectNames(database, snapshot),
  ])
  const before = Number(passed)
  return {
    items: items.map((item, index) =>
      present(item, { project: nameOf(item.project_id), rank: before + index + 1 }),
    ),
    next: next && [before + items.length, ...next],
  }
}

/** The names of these people, for a list that people read. */
export async function peopleNamed(snapshot: Snapshot, userIds: readonly (string | null)[]) {
  const wanted = [...new Set(userIds.filter((id) => id !== null))]
  const people = wanted.length > 0 ? await selectPersonNames(snapshot, wanted) : []
  const byId = new Map(people.map((person) => [person.user_id, person]))
  return (userId: string | null): PersonName | null => byId.get(userId ?? '') ?? null
}

interface SummaryAsk {
  readonly noun: TallyNoun
  readonly query: { readonly project_id?: readonly string[] }
  /** Counts what the query leaves, when its counts are not kept. */
  readonly aggregate: (snapshot: Snapshot) => Promise<Counted[]>
}

/** What both summaries share. Without a filter, and by project, the counts are kept. */
export function summarize<T>(
  caller: Caller<'projects.read'>,
  { noun, query, aggregate }: SummaryAsk,
  present: (counts: readonly Counted[], asOf: AsOf) => T,
) {
  const isKept = filtersIn(query).every((name) => name === 'project_id')
  return caller.database.snapshot(caller, async (snapshot) => {
    const [counts, asOf, nameOf] = await Promise.all([
      isKept ? selectTallies(snapshot, noun, query.project_id ?? null) : aggregate(snapshot),
      readAsOf(snapshot),
      projectNames(caller.database, snapshot),
    ])
    const by_project = [...countsIn(counts, 'project')].map(([value, count]) => ({
      project: nameOf(encodeId('prj', value)),
      count,
    }))
    return { ...present(counts, asOf), by_project }
  })
}

/** The people who have most, with nobody among them. */
export const countPeople = (counts: readonly Counted[], dimension: string) =>
  [...countsIn(counts, dimension)].map(([value, count]) => ({
    userId: value === 'none' ? null : encodeId('usr', value),
    count,
  }))

/** The counts of one dimension, by value. */
export const countsIn = (counts: readonly Counted[], dimension: string) =>
  new Map(
    counts
      .filter((each) => each.dimension === dimension)
      .map(({ value, count }) => [value, count] as const),
  )

export const sumOf = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

/** A count for each of a fixed set of values. */
export const countEach = <V extends string>(
  values: readonly V[],
  counts: ReadonlyMap<string, number>,
) => Object.fromEntries(values.map((value) => [value, counts.get(value) ?? 0])) as Record<V, number>
