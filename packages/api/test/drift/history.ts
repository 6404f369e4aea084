import { isDeepStrictEqual } from 'node:util'

import type { Client } from 'pg'

import { nounsWithHistory } from './nouns.ts'

const inScope = 'where ($1::uuid is null or workspace_id = $1)'

/** A task has no metadata, and its states have empty ones. */
const rowsOf = (columns: string) =>
  nounsWithHistory
    .map(({ noun, table }) => `select '${noun}' as noun, ${columns} from ${table} as i ${inScope}`)
    .join(' union all ')

const nouns = nounsWithHistory.map(({ noun }) => `'${noun}'`).join(', ')

const lastStates = `
  select distinct on (workspace_id, id) * from history ${inScope}
  order by workspace_id, id, from_seq desc`

const versions = `
  select format('%s %s of %s has the version %s, and its last state is of %s.', item.noun, item.id,
    item.workspace_id, version, from_seq) as message
  from (${rowsOf('workspace_id, id, version')}) as item
  left join (${lastStates}) as h on h.workspace_id = item.workspace_id and h.id = item.id
    and h.noun = item.noun
  where from_seq is distinct from version`

/** States without an event of their item. */
const statesOfOthers = `
  select noun, id, workspace_id, from_seq
  from (select * from history ${inScope}) as h
  where not exists (select from events as e where e.workspace_id = h.workspace_id
    and e.seq = h.from_seq and e.subject_id = h.id and split_part(e.type, '.', 1) = h.noun)`

/** The people whose group memberships changed. */
const changedMembers = `
  select workspace_id, seq, data ->> 'user_id' as user_id from events ${inScope}
    and type like 'group.member_%' and data ->> 'user_id' is not null`

interface StateOfOthers {
  readonly noun: string
  readonly id: string
  readonly workspace_id: string
  readonly from_seq: number
}

interface ChangedMember {
  readonly workspace_id: string
  readonly seq: number
  readonly user_id: string
}

/** An event of a group membership also accounts for a state of its person. */
async function findStatesWithoutEvent(sql: Client, workspace: string | null): Promise<string[]> {
  const others = await sql.query<StateOfOthers>(statesOfOthers, [workspace])
  const { rows } = await sql.query<ChangedMember>(changedMembers, [workspace])
  const keyOf = (...parts: readonly (string | number)[]) => parts.join(' ')
  const members = new Set(
    rows.map((row) => keyOf(row.workspace_id, row.seq, 'person', uuidIn(row.user_id))),
  )
  return others.rows
    .filter(
      ({ noun, id, workspace_id, from_seq }) =>
        !members.has(keyOf(workspace_id, from_seq, noun, id)),
    )
    .map(({ noun, id, workspace_id, from_seq }) => {
      const item = `${noun} ${id} of ${workspace_id}`
      return `The history of ${item} has a state at ${from_seq} without an event.`
    })
}

/** Tasks have states since a release, so an event before the first state of a task has none. */
const eventStates = `
  select format('%s of %s at %s of %s has no state in the history.', type, subject_id, seq,
    workspace_id) as message
  from (select * from events ${inScope}) as e
  where split_part(type, '.', 1) in (${nouns})
    and (type not like 'task.%' or seq >= (select min(h.from_seq) from history as h
      where h.workspace_id = e.workspace_id and h.id = e.subject_id))
    and not exists (select from history as h where h.workspace_id = e.workspace_id
      and h.from_seq = e.seq and h.id = e.subject_id and h.noun = split_part(type, '.', 1))`

const eventNumbers = `
  select format('The events of %s are %s sequence numbers from %s to %s, and the counter is at %s.', workspace_id,
    coalesce(count, 0), first, last, seq) as message
  from (select * from workspace_counters ${inScope}) as c left join (
    select workspace_id, count(distinct seq), min(seq) as first, max(seq) as last
    from events group by workspace_id
  ) as e using (workspace_id)
  where seq <> coalesce(last, 0) or (seq > 0 and (first <> 1 or count <> last))
  union all
  select format('The events of %s at %s have the positions %s.', workspace_id, seq,
    array_agg(position order by position))
  from events ${inScope} group by workspace_id, seq
  having min(position) <> 0 or max(position) + 1 <> count(*)`

const collections = `
  select format('The sequence number of %s of %s is %s, and its latest item has %s.', name, workspace_id, kept,
    latest) as message
  from (select * from workspace_counters ${inScope}) as c cross join lateral (values
    ('personnel', personnel_seq, (select max(version) from people as i
      where i.workspace_id = c.workspace_id)),
    ('groups', groups_seq, (select max(version) from groups as i
      where i.workspace_id = c.workspace_id)),
    ('projects', projects_seq, (select max(version) from projects as i
      where i.workspace_id = c.workspace_id)),
    ('risks', risks_seq, (select max(version) from risks as i
      where i.workspace_id = c.workspace_id)),
    ('issues', issues_seq, (select max(version) from issues as i
      where i.workspace_id = c.workspace_id)),
    ('tasks', tasks_seq, (select max(version) from tasks as i
      where i.workspace_id = c.workspace_id))
  ) as each (name, kept, latest)
  where kept < latest or kept > seq`

const currentStates = `
  select item.noun, item.id, item.workspace_id,
    case when item.noun = 'task' then '{"metadata": {}}'::jsonb else '{}' end || item.row as row,
    h.data || jsonb_build_object('metadata', stored.metadata) as data
  from (${rowsOf('workspace_id, id, to_jsonb(i) as row')}) as item
  join (${lastStates}) as h on h.workspace_id = item.workspace_id and h.id = item.id
  left join history as stored on stored.workspace_id = h.workspace_id and stored.id = h.id
    and stored.from_seq = h.metadata_seq`

/** The state that stores the metadata has them, and no state with other metadata is between. */
const metadata = `
  select format('The metadata of %s %s of %s at %s are those of %s, and were last stored at %s.',
    noun, id, workspace_id, from_seq, metadata_seq, coalesce(last::text, 'no sequence number'))
    as message
  from (
    select *, max(from_seq) filter (where metadata is not null)
      over (partition by workspace_id, id order by from_seq) as last
    from history ${inScope}
  ) as state
  where metadata_seq is distinct from last`

interface CurrentState {
  readonly noun: string
  readonly id: string
  readonly workspace_id: string
  readonly row: Readonly<Record<string, unknown>>
  readonly data: Readonly<Record<string, unknown>>
}

const queries = [versions, metadata, eventStates, eventNumbers, collections]

/** Checks that histories have no gaps, match the events, and end in the current rows. */
export async function findHistoryDrift(sql: Client, workspace: string | null): Promise<string[]> {
  const found: string[] = []
  for (const query of queries) {
    const { rows } = await sql.query<{ message: string }>(query, [workspace])
    found.push(...rows.map((row) => row.message))
  }
  found.push(...(await findStatesWithoutEvent(sql, workspace)))
  const { rows } = await sql.query<CurrentState>(currentStates, [workspace])
  return [...found, ...rows.flatMap(differences)]
}

/** Columns that no response shows: tenant, search and sort keys, counters. */
const internalColumns = new Set(
  `workspace_id version search_text search_key sort_name email_key on_roster is_live is_open
  rank_key owner_key is_accepted closed_key acceptance_rated_at due_key
  severity_key assignee_key manager_key title_key department_key name_key
  is_active risk_number issue_number
  task_number`.split(/\s+/),
)

function differences({ noun, id, workspace_id, row: stored, data }: CurrentState): string[] {
  const state = columnsOf(data)
  // The time in the id of a risk. States of an earlier release lack it.
  const row = 'identified_at' in state ? { ...stored, identified_at: timeIn(id) } : stored
  const names = new Set([...Object.keys(row), ...Object.keys(state)])
  return (
    [...names]
      .filter((name) => !internalColumns.has(name))
      // A column that a later release added is empty and not in the history.
      .filter(
        (name) =>
          !isDeepStrictEqual(normalized(row[name] ?? null), normalized(state[name] ?? null)),
      )
      .map((name) => {
        const [is, was] = [JSON.stringify(row[name]), JSON.stringify(state[name])]
        return `${name} of ${noun} ${id} of ${workspace_id} is ${is}, and its history ends in ${was}.`
      })
  )
}

/** Objects in a response that are several columns in the table. */
const parts = [
  ['inherent', 'likelihood', 'inherent_likelihood'],
  ['inherent', 'impact', 'inherent_impact'],
  ['target', 'likelihood', 'target_likelihood'],
  ['target', 'impact', 'target_impact'],
  ['target', 'due_on', 'target_due_on'],
  ['acceptance', 'accepted_by_user_id', 'accepted_by_user_id'],
  ['acceptance', 'accepted_at', 'accepted_at'],
  ['acceptance', 'expires_on', 'acceptance_expires_on'],
  ['acceptance', 'rationale', 'acceptance_rationale'],
  ['acceptance', 'risk_appetite', 'acceptance_appetite'],
  ['acceptance', 'likelihood', 'acceptance_likelihood'],
  ['acceptance', 'impact', 'acceptance_impact'],
] as const

/** A state in the columns of the table. Fields that repeat another are left out. */
function columnsOf(data: CurrentState['data']): Record<string, unknown> {
  const { inherent, target, acceptance, user_id: _, assignable: __, ...rest } = data
  if (inherent === undefined) return rest
  // The cast holds because these are objects or null.
  const objects = { inherent, target, acceptance } as Record<string, Record<string, unknown> | null>
  const columns = parts.map(([whole, member, column]) => [column, objects[whole]?.[member] ?? null])
  return { ...rest, ...Object.fromEntries(columns) }
}

const idForm = /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/
const instantForm = /^\d{4}-\d{2}-\d{2}T\d{2}:/

/** Ids and instants have different forms in responses and in the table. */
function normalized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalized)
  if (typeof value !== 'string') return value
  if (idForm.test(value)) return uuidIn(value)
  return instantForm.test(value) ? new Date(value).toISOString() : value
}

const timeIn = (uuid: string) =>
  new Date(Number(`0x${uuid.slice(0, 8)}${uuid.slice(9, 13)}`)).toISOString()

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

function uuidIn(id: string): string {
  const digits = Array.from(id.slice(4), (letter) => BigInt(alphabet.indexOf(letter)))
  const number = digits.reduce((sum, digit) => sum * 32n + digit, 0n)
  const hex = number.toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
