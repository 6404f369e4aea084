import { readFileSync } from 'node:fs'

import type { Client } from 'pg'

import { keptDatabase } from './database.ts'
import { newWorkspace, startHost } from './workspace.ts'

interface Large {
  readonly workspaces: number
  readonly rows: number
  readonly people: number
  readonly groups: number
  readonly projects: number
  readonly risks: number
  readonly issues: number
}

/** The sizes that one workspace may have, inside tables ten times as large. */
const full: Large = {
  workspaces: 100_000,
  rows: 1_000_000,
  people: 100_000,
  groups: 10_000,
  projects: 20_000,
  risks: 100_000,
  issues: 200_000,
}

/**
 * A host whose tables hold a million rows, and the workspace that has its full size in them. It
 * takes more than a minute to fill; with KEEP_LARGE=1 it is filled once and stays for the next
 * time.
 */
export async function openLarge() {
  const isKept = process.env['KEEP_LARGE'] === '1'
  const source = readFileSync(new URL(import.meta.url), 'utf8')
  const kept = isKept ? await keptDatabase(source) : null
  const host = await startHost(kept?.url)
  const home = await newWorkspace(host, kept ? 'Large' : undefined)
  if (kept?.isNew ?? true) await fillLarge(host.sql, home.uuid)
  return { host, home }
}

/** A UUIDv7 that grows with n. */
const uuid = (n: string) => `(
  lpad(to_hex(1767225600 + (${n}) / 65536), 8, '0') || '-' || lpad(to_hex((${n}) % 65536), 4, '0')
  || '-7000-8' || substr(md5((${n})::text), 1, 3) || '-' || substr(md5((${n})::text), 4, 12)
)::uuid`

/**
 * Fills the tables around one large workspace. Its rows lie scattered among those of ninety others,
 * as they would after years of use, so that no page can profit from rows that happen to lie
 * together.
 */
async function fillLarge(sql: Client, workspace: string, size: Large = full): Promise<void> {
  await sql.query(`set session_replication_role = replica; set synchronous_commit = off`)
  await sql.query(`
    create temp table homes as
    select n, case when n = 0 then '${workspace}'::uuid else ${uuid('n + 500000000')} end as id
    from generate_series(0, 90) n`)
  await sql.query(`
    insert into workspaces (id, name, time_zone, created_at)
    select id, 'Other ' || n, 'UTC', now() from homes where n > 0
    union all
    select ${uuid('n + 600000000')}, 'Empty ' || n, 'UTC', now()
    from generate_series(1, ${size.workspaces}) n`)
  await sql.query(`
    insert into workspace_counters (workspace_id, seq, personnel_seq, groups_seq, projects_seq,
      risks_seq, issues_seq, people_max, groups_max, projects_max, live_risks_max, open_issues_max,
      keys_max)
    select id, 1, 1, 1, 1, 1, 1, 100000, 10000, 20000, 100000, 200000, 500 from workspaces
    where id <> '${workspace}'`)
  await sql.query(`
    insert into api_keys (workspace_id, id, lineage, hash, hint, name, scopes, version, created_at)
    select id, id, id, sha256(id::text::bytea), 'hint', 'Key', '{}', 1, now() from workspaces
    where id <> '${workspace}'`)
  await sql.query(`
    insert into idempotency_records (workspace_id, digest, fingerprint, seq, result, created_at)
    select workspace_id, hash, hash, 1, '{}', now() from api_keys`)
  const tables = { people, groups, projects, risks, issues }
  for (const [table, statement] of Object.entries(tables)) {
    await withoutIndexes(sql, table, () => sql.query(statement(size)))
  }
  await sql.query(
    `update workspace_counters set seq = 1, personnel_seq = 1, groups_seq = 1, projects_seq = 1,
       risks_seq = 1, issues_seq = 1, people = $2, groups = $3, projects = $4, live_risks = $5,
       open_issues = $6 where workspace_id = $1`,
    [workspace, size.people, size.groups, size.projects, size.risks, size.issues],
  )
  await sql.query('set session_replication_role = origin')
  await sql.query('vacuum analyze')
}

/** An index is built much faster over a full table than row by row. */
async function withoutIndexes(sql: Client, table: string, fill: () => Promise<unknown>) {
  const { rows } = await sql.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
     where i.indrelid = $1::regclass and c.oid is null`,
    [table],
  )
  for (const { name } of rows) await sql.query(`drop index ${name}`)
  await fill()
  await sql.query(`set maintenance_work_mem = '256MB'`)
  for (const { definition } of rows) await sql.query(definition)
}

/** An instant that grows with n. */
const at = `timestamptz '2026-01-01' + n * interval '1 second'`

/**
 * Of `rows` rows, `mine` are of the large workspace, evenly spread; the rest of the other ninety.
 */
function spread(rows: number, mine: number): string {
  const step = Math.round(rows / mine)
  return `
    select s.n, s.n / ${step} as k, s.n % ${step} = 0 as is_mine, homes.id as workspace_id
    from generate_series(0, ${rows - 1}) as s (n)
    join homes on homes.n = case when s.n % ${step} = 0 then 0 else 1 + s.n % 90 end
    order by s.n`
}

const people = ({ rows, people: mine }: Large) => `
  insert into people (workspace_id, id, name, sort_name, search_text, email, email_key, title,
    department, external_id, status, status_changed_at, version, created_at, updated_at)
  select workspace_id, ${uuid('n')}, name, lower(name), lower(name || ' ' || email), email, email,
    'Engineer', 'Department ' || n % 40, 'ext-' || n,
    case when k % 20 = 7 then 'suspended' when not is_mine and n % 11 = 3 then 'departed'
      else 'active' end,
    now(), 1, ${at}, ${at}
  from (${spread(rows, mine)}) r,
    lateral (select 'Person ' || substr(md5(n::text), 1, 12) as name,
      'p' || n || '@example.com' as email) t`

const groups = ({ groups: mine }: Large) => `
  insert into groups (workspace_id, id, name, name_key, sort_name, search_text, status,
    members_changed_at, version, created_at, updated_at)
  select workspace_id, ${uuid('n')}, 'Group ' || n, 'group ' || n, 'group ' || n, 'group ' || n,
    'active', now(), 1, ${at}, ${at}
  from (${spread(mine * 5, mine)}) r`

const projects = ({ projects: mine }: Large) => `
  insert into projects (workspace_id, id, code, name, status, version, created_at, updated_at)
  select workspace_id, ${uuid('n')}, 'P' || n, 'Project number ' || n, 'active', 1, now(), now()
  from (${spread(mine * 5, mine)}) r`

/** A project of the same workspace: number k of those that are spread in the same way. */
const projectOf = (mine: number) =>
  uuid(`case when is_mine then (k % ${mine}) * 5 else n % ${mine} end`)

const risks = ({ rows, risks: mine, projects: of }: Large) => `
  insert into risks (workspace_id, id, project_id, ref, title, search_text, category, status,
    response, likelihood, impact, owner_user_id, version, created_at, updated_at)
  select workspace_id, ${uuid('n')}, ${projectOf(of)}, 'R' || n, 'The risk number ' || n,
    'r' || n || ' the risk number ' || n, 'technical', 'identified', 'reduce',
    1 + k % 5, 1 + (k / 5) % 5,
    case when k % 50 = 0 then null else ${uuid('(k % 1000) * 10')} end, 1, now(), now()
  from (${spread(rows, mine)}) r`

const issues = ({ rows, issues: mine, projects: of }: Large) => `
  insert into issues (workspace_id, id, project_id, ref, title, search_text, type, status, severity,
    assignee_user_id, opened_at, version, created_at, updated_at)
  select workspace_id, ${uuid('n')}, ${projectOf(of)}, 'I' || n, 'The issue number ' || n,
    'i' || n || ' the issue number ' || n, 'problem', 'open', 1 + k % 5,
    case when k % 50 = 0 then null else ${uuid('(k % 1000) * 10')} end,
    now() - make_interval(mins => k * 31 % 500000), 1, now(), now()
  from (${spread(rows, mine)}) r`
