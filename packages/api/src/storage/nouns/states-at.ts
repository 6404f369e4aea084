/** Projects and items as of a point, which is a number: from rows, or from the kept states. */

import { type RawBuilder, sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOneOf, isOwn, nil } from '#storage/statements/keyset'
import type { ProjectScope } from '#storage/statements/view'

import { issueColumns, presentIssue, type StoredIssue } from './issues.ts'
import { presentProject, projectColumns, type StoredProject } from './projects.ts'
import { presentRisk, riskColumns, type StoredRisk } from './risks.ts'
import { presentTask, type StoredTask, taskColumns } from './tasks.ts'

export interface States {
  readonly project: StoredProject
  readonly risk: StoredRisk
  readonly issue: StoredIssue
  readonly task: StoredTask
}

interface Source<Item> {
  readonly table: string
  readonly columns: readonly string[]
  readonly present: (row: never) => Item
  /** The column with its project. */
  readonly project: string
  /** The column that says whether an item is live, open or closed. */
  readonly live?: string
}

const sources: { readonly [N in keyof States]: Source<States[N]> } = {
  project: {
    table: 'projects',
    columns: projectColumns,
    present: presentProject,
    project: 'id',
  },
  risk: {
    table: 'risks',
    columns: riskColumns,
    present: presentRisk,
    project: 'project_id',
    live: 'is_live',
  },
  issue: {
    table: 'issues',
    columns: issueColumns,
    present: presentIssue,
    project: 'project_id',
    live: 'is_open',
  },
  task: {
    table: 'tasks',
    columns: taskColumns,
    present: presentTask,
    project: 'project_id',
    live: 'is_open',
  },
}

export interface StatesQuery<N extends keyof States> {
  readonly noun: N
  readonly seq: number
  /** The projects that an item must be in now; of its state then, the caller decides. */
  readonly scope: ProjectScope
  /** Only these items, as UUIDs. */
  readonly ids?: readonly string[]
  /**
   * Leaves out items that have not changed since and are not live, or are. It saves reading them;
   * the caller still decides by the state.
   */
  readonly only?: 'live' | 'closed'
  /** Gives a kept state the fields that it lacks. */
  readonly complete?: (state: Readonly<Record<string, unknown>>) => object
}

const chunkRows = 1000

interface StateRow {
  readonly id: string
  readonly state: string | null
  readonly from_seq: number | null
  /** Not `metadata`, which is a column of every item. */
  readonly kept_metadata: string | null
}

/** The items that existed at the number, by id in chunks. An item without a kept state is absent. */
export async function* statesAt<N extends keyof States>(
  read: Read,
  query: StatesQuery<N>,
): AsyncGenerator<States[N][]> {
  let after = nil
  for (;;) {
    const { rows } = await chunkAfter(read, query, after).execute(read.db)
    yield rows.flatMap((row) => presentAt(sources[query.noun], row, query))
    const last = rows.at(-1)
    if (last === undefined || rows.length < chunkRows) return
    after = last.id
  }
}

function chunkAfter<N extends keyof States>(
  read: Read,
  { noun, seq, scope: { uuids }, ids, only }: StatesQuery<N>,
  after: string,
): RawBuilder<StateRow> {
  const { table, columns, project, live } = sources[noun]
  const isCurrent = sql`item.version <= ${seq}::bigint`
  const selected = sql.join(columns.map((name) => sql.ref(`item.${name}`)))
  const isWanted =
    only && live !== undefined
      ? sql` and (not (${isCurrent}) or ${only === 'live' ? sql`` : sql`not `}item.${sql.ref(live)})`
      : sql``
  return sql<StateRow>`
    select ${selected},
      kept.from_seq, kept.data::text as state, (
        select stored.metadata::text from history as stored where ${isOwn(read, 'stored')}
          and stored.id = item.id and stored.from_seq = kept.metadata_seq
      ) as kept_metadata
    from (
      select ${selected} from ${sql.table(table)} as item
      where ${isOwn(read, 'item')} and item.id > ${after}::uuid
        ${uuids ? sql` and ${isOneOf(`item.${project}`, uuids)}` : sql``}
        ${ids ? sql` and ${isOneOf('item.id', ids)}` : sql``}${isWanted}
      order by item.id limit ${chunkRows}
    ) as item
    left join lateral (
      select from_seq, metadata_seq, data from history
      where ${isOwn(read, 'history')} and history.id = item.id
        and history.from_seq <= ${seq}::bigint
      order by from_seq desc limit 1
    ) as kept on not (${isCurrent})
    order by item.id`
}

function presentAt<Item>(
  { present }: Source<Item>,
  row: StateRow,
  { seq, complete = (state) => state }: Pick<StatesQuery<keyof States>, 'seq' | 'complete'>,
): Item[] {
  // The cast holds because the row has the columns of the noun.
  const current = row as unknown as { readonly version: number }
  if (current.version <= seq) return [present(row as never)]
  if (row.state === null) return []
  const metadata: unknown = row.kept_metadata === null ? {} : JSON.parse(row.kept_metadata)
  // The cast holds because states are kept in the form of the noun.
  return [complete({ ...JSON.parse(row.state), version: row.from_seq, metadata }) as Item]
}
