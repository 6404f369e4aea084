import { setTimeout as sleep } from 'node:timers/promises'

import type { Client } from 'pg'

/** Rows of each table in one of three workspaces. */
export const ownRows = {
  people: 20_000,
  groups: 3000,
  projects: 3000,
  risks: 5000,
  issues: 5000,
  tasks: 5000,
}

export type SearchTable = keyof typeof ownRows

/** An id that increases with n, like those of the service. */
const idOf = (n: string) => `('01900000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
const id = idOf('n')

/** Words of hexadecimal digits: 2 digits match 1 text in 7, 4 digits match 1 in 1000. */
const word = `substr(md5(n::text), 1, 8) || ' ' || substr(md5(n::text), 9, 8)`
const at = `timestamptz '2026-01-01' + n * interval '1 minute'`
const version = '1 + n * 31337::bigint % 1000003'

/** Closed items were closed in another order than they were created, several at a time. */
const closedAt = `case n / 3 % 5 when 1
  then timestamptz '2026-06-01' + n * 31337::bigint % 1009 * interval '1 minute' end`

/** 1 row in 1000 has a text that does not fit into the index: an open and a closed one in turn. */
const isLong = 'n / 3 % 2000 in (500, 1501)'
export const inLongTexts = 'вдрожь'
const searched = (text: string) => `case when ${isLong}
  then lower(${text}) || repeat(' ${inLongTexts}', 160) else lower(${text}) end`

/** A project of the same workspace. */
const projectId = idOf(`n % ${3 * ownRows.projects}`)

const statements: Readonly<Record<SearchTable, string>> = {
  people: `
    insert into people (workspace_id, id, name, sort_name, search_text, email, email_key, title_key,
      department_key, status, status_changed_at, version, created_at, updated_at)
    select home, ${id}, text, text, ${searched(`text || ' p' || n || '@example.com'`)},
      'p' || n || '@example.com', 'p' || n || '@example.com', '', '',
      case n / 3 % 10 when 1 then 'suspended' when 2 then 'departed' else 'active' end,
      now(), ${version}, ${at}, ${at}`,
  groups: `
    insert into groups (workspace_id, id, name, name_key, sort_name, search_text, status,
      members_changed_at, version, created_at, updated_at)
    select home, ${id}, text, text || n, text, ${searched('text')},
      case n / 3 % 10 when 1 then 'archived' else 'active' end, now(), ${version}, ${at}, ${at}`,
  projects: `
    insert into projects (workspace_id, id, code, name, sort_name, search_text, status, version,
      created_at, updated_at)
    select home, ${id}, 'P' || n, text, text, ${searched(`'P' || n || ' ' || text`)},
      (array['planned', 'active', 'on_hold', 'completed', 'cancelled', 'archived'])[1 + n / 3 % 6],
      ${version}, ${at}, ${at}`,
  risks: `
    insert into risks (workspace_id, id, project_id, ref, title, search_text, category, status,
      response, likelihood, impact, closed_at, version, created_at, updated_at)
    select home, ${id}, ${projectId}, 'R' || n, text, ${searched(`'R' || n || ' ' || text`)},
      'other',
      case n / 3 % 5 when 1 then 'closed' when 2 then 'treating' else 'identified' end, 'reduce',
      1 + n % 5, 1 + n / 5 % 5, ${closedAt}, ${version}, ${at}, ${at}`,
  issues: `
    insert into issues (workspace_id, id, project_id, ref, title, search_text, type, status,
      severity, opened_at, closed_at, version, created_at, updated_at)
    select home, ${id}, ${projectId}, 'I' || n, text, ${searched(`'I' || n || ' ' || text`)},
      'problem',
      case n / 3 % 5 when 1 then 'closed' when 2 then 'blocked' else 'open' end,
      1 + n % 5, ${at}, ${closedAt}, ${version}, ${at}, ${at}`,
  tasks: `
    insert into tasks (workspace_id, id, project_id, ref, title, search_text, status, due_on,
      version, created_at, updated_at)
    select home, ${id}, ${projectId}, 'T' || n, text, ${searched(`'T' || n || ' ' || text`)},
      case n / 3 % 5 when 1 then 'done' when 2 then 'blocked' else 'todo' end,
      case when n % 4 > 0 then date '2026-01-01' + (n * 31337::bigint % 700)::integer end,
      ${version}, ${at}, ${at}`,
}

const searchTables = Object.keys(statements) as SearchTable[]

/** Fills every table with interleaved rows of three workspaces. */
export async function fillSearch(sql: Client, homes: readonly string[]): Promise<void> {
  await sql.query('set session_replication_role = replica; set synchronous_commit = off')
  for (const table of searchTables) {
    // Autovacuum could run between the update and the plans, which must show the state before it.
    await sql.query(`alter table ${table} set (autovacuum_enabled = off)`)
    // An index is built much faster over a full table than row by row.
    await sql.query(`update pg_index set indisready = false where indrelid = '${table}'::regclass`)
    await sql.query(
      `${statements[table]}
       from generate_series(0, ${ownRows[table] * homes.length - 1}) as n,
         lateral (select ('{${homes.join()}}'::uuid[])[1 + n % 3] as home, ${word} as text) as t
       order by hashint4(n)`,
    )
    await sql.query(`reindex table ${table}`)
  }
  await sql.query('set session_replication_role = origin')
  await vacuum(sql)
}

const triesMax = 100

/** Vacuums until every page is all-visible, which a transaction under way can prevent. */
async function vacuum(sql: Client): Promise<void> {
  for (let tries = 1; ; tries++) {
    await sql.query(`vacuum analyze ${searchTables.join()}`)
    const { rows } = await sql.query(
      'select relname from pg_class where oid = any($1::regclass[]) and relallvisible < relpages',
      [searchTables],
    )
    if (rows.length === 0) return
    if (tries === triesMax) throw new Error(`Not all-visible: ${JSON.stringify(rows)}`)
    await sleep(50)
  }
}

/** Changes one row in twenty, spread over all pages, as writes of the service would. */
export async function updateSome(sql: Client): Promise<void> {
  for (const table of searchTables) {
    await sql.query(
      `update ${table} set version = version + 2000000, updated_at = now()
       where hashtext(id::text) % 20 = 0`,
    )
  }
}
