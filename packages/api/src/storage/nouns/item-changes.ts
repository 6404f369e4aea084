/** The changes of risks, issues and tasks in the order of their numbers, with both states. */

import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'

/** What figures are computed from, of a kept state. */
export interface ItemState {
  readonly project_id: string
  readonly status: string
  readonly flags: readonly string[] | null
  readonly likelihood: number | null
  readonly impact: number | null
  readonly response: string | null
  readonly due_on: string | null
}

export interface ItemChange {
  readonly seq: number
  readonly noun: 'risk' | 'issue' | 'task'
  /** Null for a new item. */
  readonly before: ItemState | null
  /** Null for a task whose state was not kept. */
  readonly after: ItemState | null
}

/** The changes after a number, up to another one. */
interface Interval {
  readonly after: number
  readonly through: number
}

const chunkEvents = 2000

/** The fields that figures are computed from, as JSON. */
const pickedFrom = (table: string) => {
  const data = sql.ref(`${table}.data`)
  return sql`json_build_object(
    'project_id', ${data} -> 'project_id', 'status', ${data} -> 'status',
    'flags', ${data} -> 'flags', 'likelihood', ${data} -> 'likelihood',
    'impact', ${data} -> 'impact', 'response', ${data} -> 'response', 'due_on', ${data} -> 'due_on'
  )::text`
}

interface ChangeRow {
  readonly last_seq: number | null
  readonly seq: number | null
  readonly noun: ItemChange['noun']
  readonly before: string | null
  readonly after: string | null
}

/** Reads whole writes in chunks. Two events of one item in one write are one change. */
export async function* itemChanges(
  read: Read,
  { after, through }: Interval,
): AsyncGenerator<ItemChange[]> {
  for (let last = after; last < through;) {
    const { rows } = await sql<ChangeRow>`
      with page as materialized (${eventsAfter(read, { after: last, through })})
      select ending.last_seq, change.seq, change.noun, change.before, change.after
      from (select max(seq) as last_seq from page) as ending
      left join lateral (
        select item.seq, item.noun,
          case when state.data is not null then ${pickedFrom('state')} end as after,
          case when previous.data is not null then ${pickedFrom('previous')} end as before
        from (
          select distinct seq, subject_id as id, split_part(type, '.', 1) as noun from page
          where split_part(type, '.', 1) in ('risk', 'issue', 'task')
        ) as item
        left join lateral (
          select data from history
          where ${isOwn(read, 'history')} and history.id = item.id and from_seq = item.seq
          limit 1
        ) as state on true
        left join lateral (
          select data from history
          where ${isOwn(read, 'history')} and history.id = item.id and from_seq < item.seq
          order by from_seq desc limit 1
        ) as previous on state.data is not null
      ) as change on true
      order by change.seq`.execute(read.db)
    yield rows.flatMap(({ seq, noun, before, after: state }) =>
      seq === null ? [] : [{ seq, noun, before: stateIn(before), after: stateIn(state) }],
    )
    last = rows[0]?.last_seq ?? through
  }
}

const eventsAfter = (read: Read, { after, through }: Interval) => sql`
  select seq, type, subject_id from events
  where ${isOwn(read, 'events')} and seq > ${after}::bigint and seq <= ${through}::bigint
  order by seq fetch first ${chunkEvents} rows with ties`

// The cast holds because these are the fields of a kept state.
const stateIn = (text: string | null) => (text === null ? null : (JSON.parse(text) as ItemState))

/** Open tasks that are due on days of an interval, as they were at a number. */
interface DueQuery {
  readonly seq: number
  readonly through: number
  readonly from: string
  readonly until: string
}

export interface DueTask {
  /** As a UUID. */
  readonly id: string
  /** As a UUID. */
  readonly project: string
  readonly due: string
}

/** Those that have not changed since come from the table. */
export async function selectDueTasks(read: Read, query: DueQuery): Promise<DueTask[]> {
  const { seq, through, from, until } = query
  const { rows } = await sql<DueTask>`
    select id, project_id as project, due_on as due from tasks
    where ${isOwn(read, 'tasks')} and status in ('todo', 'in_progress', 'blocked')
      and due_key >= ${from}::date and due_key <= ${until}::date
      and version <= ${seq}::bigint`.execute(read.db)
  const found = new Map(rows.map((task) => [task.id, task]))
  for (let last = seq; last < through;) {
    const { rows: changed } = await changedDueTasks(read, { ...query, after: last })
    for (const { last_seq: _last, ...task } of changed) {
      if (isFound(task)) found.set(task.id, task)
    }
    last = changed[0]?.last_seq ?? through
  }
  return [...found.values()]
}

const isFound = (task: { readonly id: string | null }): task is DueTask => task.id !== null

/** The others, a chunk of their changes at a time, from the states that they had then. */
const changedDueTasks = (read: Read, query: DueQuery & Interval) =>
  sql<Omit<DueTask, 'id'> & { readonly id: string | null; readonly last_seq: number | null }>`
    with page as materialized (${eventsAfter(read, query)})
    select ending.last_seq, task.id, task.project, task.due
    from (select max(seq) as last_seq from page) as ending
    left join lateral (
      select changed.id, kept.project_id as project, kept.data ->> 'due_on' as due
      from (select distinct subject_id as id from page where type like 'task.%') as changed
      cross join lateral (
        select project_id, data from history
        where ${isOwn(read, 'history')} and history.id = changed.id
          and from_seq <= ${query.seq}::bigint
        order by from_seq desc limit 1
      ) as kept
      where kept.data ->> 'status' in ('todo', 'in_progress', 'blocked')
        and kept.data ->> 'due_on' >= ${query.from} and kept.data ->> 'due_on' <= ${query.until}
    ) as task on true`.execute(read.db)
