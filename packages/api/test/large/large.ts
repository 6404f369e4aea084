import { readFileSync } from 'node:fs'

import { limits, scopes } from '@muster/contract'
import type { Client } from 'pg'

import { encodeId } from '#storage/values/id'
import type { Ids } from '#test/contract/lists'
import { keptDatabase } from '#test/support/database'
import { newWorkspace, startHost } from '#test/support/workspace'

import { lastSeq, tables } from './rows.ts'
import { full, lastOther, little, otherUuid, scale, smallOne } from './spread.ts'

const sources = ['large.ts', 'rows.ts', 'logged.ts', 'people.ts', 'spread.ts']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('')

/**
 * Opens a host with 100 000 rows, 1 000 000 with `--long`, or LARGE_ROWS; with a full workspace and
 * a small one. KEEP_LARGE=1 keeps the filled database for the next run.
 */
export async function openLarge() {
  const isKept = process.env['KEEP_LARGE'] === '1'
  const contents = `${process.env['LARGE_ROWS'] ?? ''} ${scale} ${sources}`
  const kept = isKept ? await keptDatabase(contents) : null
  const host = await startHost({ url: kept?.url, skipsDriftCheck: true })
  const home = await newWorkspace(host, kept ? 'Large' : undefined)
  const small = await newWorkspace(host, kept ? 'Small' : undefined)
  if (!kept?.isFull) {
    await fillLarge(host.sql, home.uuid, small.uuid)
    await kept?.markFull()
  }
  return { host, home, small }
}

/**
 * Twenty ids of each kind, and texts of twenty records. The projects are those with most items. The
 * risks and issues belong to the first of them. The first item of each kind has the longest
 * history.
 */
export async function knownIds(sql: Client, workspace: string): Promise<Ids> {
  const first = async (table: string, condition: string, column = 'id') => {
    const { rows } = await sql.query<{ value: string }>(
      `select ${column} as value from ${table}
      where workspace_id = $1 and ${condition}
      order by id limit 20`,
      [workspace],
    )
    return rows.map(({ value }) => value)
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
  return {
    ...Object.fromEntries(
      Object.entries(uuids).map(([prefix, of]) => [prefix, of.map((id) => encodeId(prefix, id))]),
    ),
    email: await first('people', 'on_roster', 'email'),
    code: await first('projects', 'true', 'code'),
    ref: await first('risks', `is_live and ${here}`, 'ref'),
  }
}

async function fillLarge(sql: Client, workspace: string, small: string): Promise<void> {
  await sql.query(`set session_replication_role = replica; set synchronous_commit = off;
    set maintenance_work_mem = '512MB'; set work_mem = '256MB'; set jit = off`)
  await sql.query(`
    create temp table homes as
    select n as home, case n when 0 then '${workspace}' when ${smallOne} then '${small}'
      else ${otherUuid('n')} end as workspace_id
    from generate_series(0, ${smallOne}) n`)
  await withoutLog(sql)
  await fillWorkspaces(sql, [workspace, small])
  for (const [table, statement] of Object.entries(tables)) {
    await withoutIndexes(sql, table, () => sql.query(statement))
  }
  await fillAccess(sql)
  await setCounters(sql, workspace, full)
  await setCounters(sql, small, little)
  await sql.query('set session_replication_role = origin')
  await sql.query('vacuum analyze')
}

/**
 * Gives a role to up to 200 people of each workspace, as many as the list may have. Each of them
 * has a session and a passkey, so that these tables are not empty.
 */
async function fillAccess(sql: Client): Promise<void> {
  await sql.query(`
    insert into access_entries (workspace_id, subject_id, user_id, role, is_granting, version,
      created_at)
    select workspace_id, id, id, 'reader', true, 1, created_at from (
      select workspace_id, id, created_at,
        row_number() over (partition by workspace_id order by id) as place
      from people where status = 'active'
    ) as ranked where place <= ${limits.accessEntriesMax}`)
  const holders = 'from access_entries'
  const later = `now() + interval '1 day'`
  await sql.query(`
    insert into sessions (workspace_id, hash, id, user_id, method, authenticated_at, created_at,
      expires_at)
    select workspace_id, sha256(user_id::text::bytea), user_id, user_id, 'link', now(), now(),
      ${later} ${holders};
    insert into sign_in_links (workspace_id, hash, user_id, purpose, expires_at, created_at)
    select workspace_id, sha256(user_id::text::bytea), user_id, 'sign_in', ${later}, now()
    ${holders};
    insert into passkeys (workspace_id, id, user_id, credential_id, public_key, counter, name,
      created_at)
    select workspace_id, user_id, user_id, user_id::text, '', 0, 'Laptop', now() ${holders};
    insert into identities (workspace_id, user_id, issuer, subject, created_at)
    select workspace_id, user_id, 'https://id.example.com', user_id::text, now() ${holders};
    insert into binding_holds (workspace_id, user_id, created_at)
    select workspace_id, user_id, now() ${holders};
    insert into departures (workspace_id, user_id, departs_on, if_assigned, planned_by_type,
      planned_by_id, planned_at)
    select workspace_id, user_id, '2999-12-31', 'keep', 'person', user_id, now() ${holders}`)
}

/**
 * Makes the tables unlogged, which avoids write-ahead logging. A logged table cannot reference an
 * unlogged one, so referencing tables come first.
 */
async function withoutLog(sql: Client): Promise<void> {
  const { rows } = await sql.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'muster'::regnamespace and relkind = 'r'`,
  )
  let left = rows.map(({ name }) => name)
  for (let rounds = 0; left.length > 0; rounds++) {
    if (rounds > rows.length) throw new Error(`Circular foreign keys: ${left.join()}`)
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

const emptyWorkspaces = 100_000 * scale

async function fillWorkspaces(sql: Client, ours: string[]): Promise<void> {
  await sql.query(`
    insert into workspaces (id, name, time_zone, created_at, updated_at)
    select workspace_id, 'Other ' || home, 'UTC', now(), now() from homes
    where home between 1 and ${lastOther}
    union all
    select ${otherUuid('n + 100')}, 'Empty ' || n, 'UTC', now(), now()
    from generate_series(1, ${emptyWorkspaces}) n`)
  const others = `id <> all('{${ours.join()}}')`
  await sql.query(`
    insert into workspace_counters (workspace_id, seq, personnel_seq, groups_seq, projects_seq,
      risks_seq, issues_seq, people_max, groups_max, projects_max, live_risks_max, open_issues_max,
      open_tasks_max, keys_max)
    select id, 1, 1, 1, 1, 1, 1, 100000, 10000, 20000, 100000, 200000, 200000, 500 from workspaces
    where ${others}`)
  await sql.query(`
    insert into api_keys (workspace_id, id, lineage, hash, hint, name, scopes, created_by_type,
      version, created_at, updated_at)
    select id, id, id, sha256(id::text::bytea), 'hint', 'Key', '{}', 'admin', 1, now(), now()
    from workspaces
    where ${others}`)
  await sql.query(`
    insert into idempotency_records (workspace_id, digest, fingerprint, seq, result, is_personal,
      created_at)
    select workspace_id, hash, hash, 1, '{}', false, now() from api_keys`)
  // No workspace is due: a sweep would distort the measurements.
  await sql.query(`update workspaces set sweep_due_at = 'infinity'`)
}

/**
 * Builds indexes after filling, which is much faster than row by row. Indexes of constraints cannot
 * be dropped, so all are marked as not ready and then rebuilt.
 */
async function withoutIndexes(sql: Client, table: string, fill: () => Promise<unknown>) {
  await sql.query('update pg_index set indisready = false where indrelid = $1::regclass', [table])
  await fill()
  await sql.query(`reindex table ${table}`)
}

/**
 * `node packages/api/test/large/large.ts` fills the database and prints its URL and keys as JSON.
 */
if (import.meta.main) {
  const { host, home, small } = await openLarge()
  const access = async ({ uuid, issue }: typeof home) => ({
    token: (await issue({ scopes })).token,
    ids: await knownIds(host.sql, uuid),
  })
  const output = { url: host.url, large: await access(home), small: await access(small) }
  process.stdout.write(`${JSON.stringify(output)}\n`)
}
