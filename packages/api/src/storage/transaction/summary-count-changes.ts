import { type CompiledQuery, sql } from 'kysely'

import type { Read, SummaryCount } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import { type Given, template } from '#storage/statements/template'

/** Sums up the changes of a write. Changes that cancel each other out cost nothing. */
export class SummaryCountChanges {
  readonly #moved = new Map<string, { count: SummaryCount; by: number }>()

  add(counts: readonly SummaryCount[], by: number): void {
    for (const count of counts) {
      const { noun, project, dimension, value } = count
      const name = [noun, project, dimension, value].join('\n')
      const sum = (this.#moved.get(name)?.by ?? 0) + by
      this.#moved.set(name, { count, by: sum })
    }
  }

  /** Subtracts before it adds, so that no count exceeds the number of items. */
  statements(read: Read): CompiledQuery[] {
    const moved = [...this.#moved.values()]
    const less = moved.filter(({ by }) => by < 0)
    const more = moved.filter(({ by }) => by > 0)
    return [
      ...(less.length > 0 ? [subtractCounts(read, less)] : []),
      ...(more.length > 0 ? [addCounts(read, more)] : []),
    ]
  }
}

type Moved = readonly { count: SummaryCount; by: number }[]

interface MovedValues extends Pick<Read, 'workspaceId'> {
  readonly nouns: readonly string[]
  readonly projects: readonly string[]
  readonly dimensions: readonly string[]
  readonly values: readonly string[]
  readonly by: readonly number[]
}

const movedValues = ({ workspaceId }: Read, moved: Moved): MovedValues => ({
  workspaceId,
  nouns: moved.map(({ count }) => count.noun),
  projects: moved.map(({ count }) => count.project),
  dimensions: moved.map(({ count }) => count.dimension),
  values: moved.map(({ count }) => count.value),
  by: moved.map(({ by }) => Math.abs(by)),
})

const changeRows = (given: Given<MovedValues>) => sql`unnest(
  ${given.nouns}::text[], ${given.projects}::uuid[], ${given.dimensions}::text[],
  ${given.values}::text[], ${given.by}::integer[]
) as moved (noun, project_id, dimension, value, by)`

const subtracted = template<MovedValues>(
  (given) =>
    sql`update summary_counts as kept set count = kept.count - moved.by from ${changeRows(given)}
      where ${isOwn(given, 'kept')} and kept.noun = moved.noun
        and kept.project_id = moved.project_id and kept.dimension = moved.dimension
        and kept.value = moved.value`,
)

const subtractCounts = (read: Read, moved: Moved) =>
  subtracted.compile(read, movedValues(read, moved))

const added = template<MovedValues>(
  (given) =>
    sql`insert into summary_counts as kept (workspace_id, noun, project_id, dimension, value, count)
      select ${given.workspaceId}::uuid, noun, project_id, dimension, value, by
      from ${changeRows(given)}
      on conflict (workspace_id, noun, project_id, dimension, value)
      do update set count = kept.count + excluded.count`,
)

const addCounts = (read: Read, moved: Moved) => added.compile(read, movedValues(read, moved))
