/** The live risks and open issues at a sequence number: only what counts and ranks need. */

import { liveRiskStatuses, openIssueStatuses } from '@muster/contract'
import { type RawBuilder, sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOwn, nil } from '#storage/statements/keyset'
import { isShown } from '#storage/statements/view'
import { encodeId, encodeOptional } from '#storage/values/id'

/** A live risk, by the columns that are stored for all. */
export interface LiveRisk {
  readonly id: string
  readonly project_id: string
  readonly owner_user_id: string | null
  readonly likelihood: number
  readonly impact: number
  readonly response: string
  readonly flags: readonly string[]
}

export interface LiveIssue {
  readonly id: string
  readonly project_id: string
  readonly owner_user_id: string | null
  readonly flags: readonly string[]
}

const chunkRows = 2000

/** The live risks at the number in the projects that the view shows, by id in chunks. */
export const liveRisksAt = (read: Read, seq: number): AsyncGenerator<LiveRisk[]> =>
  liveAt<LiveRisk>(read, seq, {
    table: 'risks',
    prefix: 'rsk',
    live: 'is_live',
    statuses: liveRiskStatuses,
    owner: 'owner_user_id',
    columns: {
      likelihood: sql`(kept.data ->> 'likelihood')::smallint`,
      impact: sql`(kept.data ->> 'impact')::smallint`,
      response: sql`kept.data ->> 'response'`,
    },
  })

/** The open issues at the number, likewise. */
export const openIssuesAt = (read: Read, seq: number): AsyncGenerator<LiveIssue[]> =>
  liveAt<LiveIssue>(read, seq, {
    table: 'issues',
    prefix: 'iss',
    live: 'is_open',
    statuses: openIssueStatuses,
    owner: 'assignee_user_id',
    columns: {},
  })

interface Source {
  readonly table: string
  readonly prefix: string
  /** The column that says whether an item is live, and the statuses for which it is. */
  readonly live: string
  readonly statuses: readonly string[]
  readonly owner: string
  /** Further columns, each with its value in a kept state. */
  readonly columns: Readonly<Record<string, RawBuilder<unknown>>>
}

interface Row {
  readonly id: string
  /** Null for an item that was not live. */
  readonly project: string | null
  /** Of a row the UUID, of a kept state the id. */
  readonly owner_uuid: string | null
  readonly owner_id: string | null
  readonly flags: readonly string[]
}

async function* liveAt<Item extends LiveIssue>(
  read: Read,
  seq: number,
  source: Source,
): AsyncGenerator<Item[]> {
  let after = nil
  for (;;) {
    const { rows } = await chunkAfter(read, { seq, after }, source).execute(read.db)
    yield rows.flatMap((row) => presentLive<Item>(read, source, row))
    const last = rows.at(-1)
    if (last === undefined || rows.length < chunkRows) return
    after = last.id
  }
}

function presentLive<Item extends LiveIssue>({ view }: Read, { prefix }: Source, row: Row): Item[] {
  const { project, owner_uuid, owner_id, ...rest } = row
  if (project === null) return []
  const project_id = encodeId('prj', project)
  if (!view.shows(project_id)) return []
  const owner_user_id = owner_id ?? encodeOptional('usr', owner_uuid)
  // The cast holds because the source selects the columns of the item.
  return [{ ...rest, id: encodeId(prefix, row.id), project_id, owner_user_id } as unknown as Item]
}

/** Rows that have not changed since, and the last states of the others. */
function chunkAfter(
  read: Read,
  { seq, after }: { readonly seq: number; readonly after: string },
  { table, live, statuses, owner, columns }: Source,
): RawBuilder<Row> {
  const isCurrent = sql`item.version <= ${seq}::bigint`
  const names = ['id', 'project_id', 'version', owner, 'flags', ...Object.keys(columns)]
  const selected = sql.join(names.map((name) => sql.ref(`item.${name}`)))
  const own = Object.entries(columns).map(
    ([name, kept]) => sql`,
      case when ${isCurrent} then item.${sql.ref(name)} else ${kept} end as ${sql.ref(name)}`,
  )
  return sql<Row>`
    select item.id, case when ${isCurrent} then item.project_id
        when kept.data ->> 'status' = any(${statuses}::text[]) then kept.project_id end as project,
      case when ${isCurrent} then item.${sql.ref(owner)} end as owner_uuid,
      kept.data ->> ${owner}::text as owner_id,
      case when ${isCurrent} then item.flags
        else array(select jsonb_array_elements_text(kept.data -> 'flags')) end as flags
      ${sql.join(own, sql``)}
    from (
      select ${selected} from ${sql.table(table)} as item
      where ${isOwn(read, 'item')} and item.id > ${after}::uuid${isShown(read, 'item.project_id')}
        and (item.${sql.ref(live)} or not (${isCurrent}))
      order by item.id limit ${chunkRows}
    ) as item
    left join lateral (
      select data, project_id from history
      where ${isOwn(read, 'history')} and history.id = item.id
        and history.from_seq <= ${seq}::bigint
      order by from_seq desc limit 1
    ) as kept on not (${isCurrent})
    order by item.id`
}
