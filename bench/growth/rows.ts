import { limits } from '@muster/contract'

import { asReplica, copyWorkspace, workspaceOf } from '#bench/workspaces'

interface Filled {
  readonly url: string
  readonly token: string
  /** Risks in the table so far. */
  readonly rows: number
}

/**
 * Fills the table of risks up to `rows`: first the workspace up to its quota, with copies of its
 * risks and of what is derived from them; then with copies of the whole workspace.
 */
export async function growTo(filled: Filled, rows: number): Promise<Filled> {
  const { url, token } = filled
  const quota = limits.quota.live_risks
  let now = filled.rows
  if (now < Math.min(rows, quota)) {
    await growWorkspace(filled, Math.min(rows, quota) / now)
    now = Math.min(rows, quota)
  }
  if (now < rows) await copyWorkspace(url, token, rows / quota - now / quota)
  // What the fill left to write must not take time from the measurement.
  await asReplica(url, async (sql) => {
    await sql.query('vacuum analyze')
    await sql.query('checkpoint')
  })
  return { ...filled, rows }
}

/** Every risk gets `factor` - 1 copies with ids and references of their own. */
async function growWorkspace({ url, token, rows: before }: Filled, factor: number): Promise<void> {
  const parameters = [workspaceOf(token), factor]
  await asReplica(url, async (sql) => {
    const { rows } = await sql.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = 'muster' and table_name = 'risks' and is_generated = 'NEVER'`,
    )
    const columns = rows.map(({ name }) => name)
    const changed: Record<string, string> = {
      id: 'gen_random_uuid()',
      ref: `t.ref || '-${before}-' || copy`,
    }
    await sql.query(
      `with added as (
         insert into risks (${columns.join()})
         select ${columns.map((name) => changed[name] ?? `t.${name}`).join()}
         from risks as t, generate_series(2, $2::integer) as copy where workspace_id = $1
         returning workspace_id, id, rank_key, tags, flags, is_live
       )
       insert into risk_index_rows (workspace_id, kind, value, rank_key, id)
       select workspace_id, kind, value, rank_key, id from added, lateral (
         select 'tag', unnest(tags) union all select 'flag', unnest(flags)
       ) as index_row (kind, value) where is_live`,
      parameters,
    )
    await sql.query(
      `update summary_counts set count = count * $2 where workspace_id = $1 and noun = 'risk'`,
      parameters,
    )
    await sql.query(
      `update workspace_counters
       set live_risks = live_risks * $2, seq = seq + 1, risks_seq = seq + 1
       where workspace_id = $1`,
      parameters,
    )
    await sql.query('analyze')
  })
}
