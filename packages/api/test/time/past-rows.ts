import type { Client } from 'pg'

import { encodeId } from '#storage/values/id'

interface Rows {
  readonly workspace: string
  /** The UUID of a risk to copy, which the API created. */
  readonly pattern: string
  readonly live: number
  readonly closed: number
  /** How many states each risk has. */
  readonly states: number
}

/** Numbers between two states of a risk. */
export const apart = 1000

/**
 * Copies a risk, with its history, by SQL. The states of each risk are spread over all numbers, so
 * at a number in the middle each of them had another state.
 */
export async function insertPast(sql: Client, rows: Rows): Promise<void> {
  const { workspace, pattern, live, closed, states } = rows
  const { rows: columns } = await sql.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = 'risks'::regclass and attnum > 0 and attgenerated = '' and not attisdropped`,
  )
  const copied = new Map(columns.map(({ name }) => [name, `pattern.${name}`]))
  const last = `(${states - 1} * ${apart} + n % ${apart})`
  for (const [column, value] of Object.entries({
    id: 'gen_random_uuid()',
    ref: `'PAST-R' || (n + 1)`,
    likelihood: '1 + n % 5',
    impact: '1 + n % 4',
    status: `case when n <= ${live} then 'treating' else 'closed' end`,
    closed_at: `case when n > ${live} then now() end`,
    close_reason: `case when n > ${live} then 'treated' end`,
    version: `${last} + 100`,
  })) {
    copied.set(column, value)
  }
  await sql.query(
    `insert into risks (${[...copied.keys()].join()})
     select ${[...copied.values()].join()} from risks as pattern, generate_series(1, $3::int) as n
     where pattern.workspace_id = $1 and pattern.id = $2`,
    [workspace, pattern, live + closed],
  )
  await sql.query(
    `insert into history (workspace_id, noun, id, project_id, from_seq, metadata_seq, metadata, data)
     select risks.workspace_id, 'risk', risks.id, risks.project_id, seqs.from_seq, first_seq,
       case when seqs.from_seq = first_seq then kept.metadata end,
       kept.data || jsonb_build_object('id', 'rsk_' || encoded.id, 'ref', risks.ref,
         'likelihood', risks.likelihood, 'impact', risks.impact, 'score', risks.score,
         'status', case when is_closed then 'closed' else 'treating' end,
         'closed_at', case when is_closed then risks.closed_at end,
         'close_reason', case when is_closed then risks.close_reason end)
     from history as kept
     join risks on risks.workspace_id = kept.workspace_id and risks.id <> kept.id
     cross join generate_series(1, ${states}) as step
     cross join lateral (
       select risks.status = 'closed' and step > risks.version % ${states} as is_closed,
         risks.version - (${states} - step) * ${apart} as from_seq,
         risks.version - ${states - 1} * ${apart} as first_seq
     ) as seqs
     join unnest($3::uuid[], $4::text[]) as encoded (uuid, id) on encoded.uuid = risks.id
     where kept.workspace_id = $1 and kept.id = $2`,
    [workspace, pattern, ...(await encodedIds(sql, workspace))],
  )
  await sql.query('update workspace_counters set seq = $2 where workspace_id = $1', [
    workspace,
    states * apart + 100,
  ])
  await sql.query('analyze risks, history')
}

async function encodedIds(sql: Client, workspace: string): Promise<[string[], string[]]> {
  const { rows } = await sql.query<{ id: string }>('select id from risks where workspace_id = $1', [
    workspace,
  ])
  const uuids = rows.map(({ id }) => id)
  return [uuids, uuids.map((uuid) => encodeId('rsk', uuid).slice(4))]
}
