import { readFileSync } from 'node:fs'

import { scopes } from '@muster/contract'
import type { Client } from 'pg'

import { encodeId } from '#storage/id'

import { keptDatabase } from './database.ts'
import { lastSeq, tables } from './large-rows.ts'
import { full, little, otherUuid } from './large-spread.ts'
import type { Ids } from './lists.ts'
import { newWorkspace, startHost } from './workspace.ts'

const sources = ['large.ts', 'large-rows.ts', 'large-people.ts', 'large-spread.ts']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('')

/**
 * A host whose tables hold a million rows, or as many as LARGE_ROWS says; the workspace that has
 * its full size in them, and a small one. It takes minutes to fill; with KEEP_LARGE=1 it is filled
 * once and stays for the next time.
 */
export async function openLarge() {
  const isKept = process.env['KEEP_LARGE'] === '1'
  const contents = `${process.env['LARGE_ROWS'] ?? ''} ${sources}`
  const kept = isKept ? await keptDatabase(contents) : null
  const host = await startHost({ url: kept?.url, isByHand: true })
  const home = await newWorkspace(host, kept ? 'Large' : undefined)
  const small = await newWorkspace(host, kept ? 'Small' : undefined)
  if (!kept?.isFull) {
    await fillLarge(host.sql, home.uuid, small.uuid)
    await kept?.sayFull()
  }
  return { host, home, small }
}

/**
 * Twenty ids of each kind. The projects are those that hold most; the risks and the issues are of
 * the first of them, and the first of everything has the longest history.
 */
export async function knownIds(sql: Client, workspace: string): Promise<Ids> {
  const first = async (table: string, condition: string) => {
    const { rows } = await sql.query<{ id: string }>(
      `select id from ${table} where workspace_id = $1 and ${condition} order by id limit 20`,
      [workspace],
    )
    return rows.map(({ id }) => id)
  }
  const projects = await first('projects', 'true')
  const here = `project_id = '${projects[0]}'`
  const uuids = {
    prj: projects,
    usr: await first('people', 'on_roster'),
    grp: await first('groups', 'is_active'),
    rsk: await first('risks', `is_live and ${here}`),
    iss: await first('issues', `is_open and ${here}`),
  }
  return Object.fromEntries(
    Object.entries(uuids).map(([prefix, of]) => [prefix, of.map((id) => encodeId(prefix, id))]),
  )
}

/** The workspaces by number: 0 is the full one, 91 the small one, and ninety are between them. */
async function fillLarge(sql: Client, workspace: string, small: string): Promise<void> {
  await sql.query(`set session_replication_role = replica; set synchronous_commit = off;
    set maintenance_work_mem = '512MB'; set work_mem = '256MB'; set jit = off`)
  await sql.query(`
    create temp table homes as
    select n as home, case n when 0 then '${workspace}' when 91 then '${small}'
      else ${otherUuid('n')} end as workspace_id
    from generate_series(0, 91) n`)
  await withoutLog(sql)
  await fillWorkspaces(sql, [workspace, small])
  for (const [table, statement] of Object.entries(tables)) {
    await withoutIndexes(sql, table, () => sql.query(statement))
  }
  await setCounters(sql, workspace, full)
  await setCounters(sql, small, little)
  await sql.query('set session_replication_role = origin')
  await sql.query('vacuum analyze')
}

/**
 * Nobody needs these tables after a crash, so the server need not write everything twice. None may
 * refer to one that is not logged, so those that others refer to come after them.
 */
async function withoutLog(sql: Client): Promise<void> {
  const { rows } = await sql.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'muster'::regnamespace and relkind = 'r'`,
  )
  let left = rows.map(({ name }) => name)
  for (let rounds = 0; left.length > 0; rounds++) {
    if (rounds > rows.length) throw new Error(`These refer to one another: ${left.join()}`)
    const logged: string[] = []
    for (const name of left) {
      const unlogging = sql.query(`alter table ${name} set unlogged`)
      await unlogging.catch(() => logged.push(name))
    }
    left = logged
  }
}

async function setCounters(sql: Client, workspace: string, size: typeof full): Promise<void> {
  const stamped = ['personnel', 'groups', 'projects', 'risks', 'issues', 'tasks']
  await sql.query(
    `update workspace_counters set seq = ${lastSeq}, people = $2, groups = $3, projects = $4,
       live_risks = $5, open_issues = $6, open_tasks = $7,
       ${stamped.map((name) => `${name}_seq = ${lastSeq}`).join()}
     where workspace_id = $1`,
    [workspace, ...Object.values(size)],
  )
}

const emptyWorkspaces = 100_000

async function fillWorkspaces(sql: Client, ours: string[]): Promise<void> {
  await sql.query(`
    insert into workspaces (id, name, time_zone, created_at)
    select workspace_id, 'Other ' || home, 'UTC', now() from homes where home between 1 and 90
    union all
    select ${otherUuid('n + 100')}, 'Empty ' || n, 'UTC', now()
    from generate_series(1, ${emptyWorkspaces}) n`)
  const others = `id <> all('{${ours.join()}}')`
  await sql.query(`
    insert into workspace_counters (workspace_id, seq, personnel_seq, groups_seq, projects_seq,
      risks_seq, issues_seq, people_max, groups_max, projects_max, live_risks_max, open_issues_max,
      keys_max)
    select id, 1, 1, 1, 1, 1, 1, 100000, 10000, 20000, 100000, 200000, 500 from workspaces
    where ${others}`)
  await sql.query(`
    insert into api_keys (workspace_id, id, lineage, hash, hint, name, scopes, version, created_at)
    select id, id, id, sha256(id::text::bytea), 'hint', 'Key', '{}', 1, now() from workspaces
    where ${others}`)
  await sql.query(`
    insert into idempotency_records (workspace_id, digest, fingerprint, seq, result, created_at)
    select workspace_id, hash, hash, 1, '{}', now() from api_keys`)
  // Nobody is due: a sweep in the midst of a measurement would be measured too.
  await sql.query(
    `insert into sweeps (workspace_id, swept_on) select id, 'infinity' from workspaces`,
  )
}

/**
 * An index is built much faster over a full table than row by row. Those of constraints cannot be
 * dropped, so all are kept from taking rows until they are built anew.
 */
async function withoutIndexes(sql: Client, table: string, fill: () => Promise<unknown>) {
  await sql.query('update pg_index set indisready = false where indrelid = $1::regclass', [table])
  await fill()
  await sql.query(`reindex table ${table}`)
}

/** `node packages/api/test/large.ts` fills it, and tells in its first line how to come to it. */
if (import.meta.main) {
  const { host, home, small } = await openLarge()
  const way = async ({ uuid, issue }: typeof home) => ({
    token: (await issue({ scopes })).token,
    ids: await knownIds(host.sql, uuid),
  })
  const told = { url: host.url, large: await way(home), small: await way(small) }
  process.stdout.write(`${JSON.stringify(told)}\n`)
}
