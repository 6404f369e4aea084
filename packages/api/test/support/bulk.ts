import type { Client } from 'pg'

import { encodeId, uuidAt } from '#storage/values/id'

/** A row inserted directly with SQL, bypassing the API. */
export interface BulkRisk {
  readonly id: string
  readonly project: number
  readonly likelihood: number
  readonly impact: number
  readonly status: string
  readonly owner: string | null
  readonly title: string
}

export interface BulkIssue {
  readonly id: string
  readonly project: number
  readonly severity: number
  readonly status: string
  readonly opened_at: string
  readonly assignee: string | null
  readonly title: string
}

let clock = Date.parse('2026-01-01T00:00:00Z') * 1000

/** UUIDs that sort in creation order. */
export const nextUuid = () => uuidAt((clock += 1000))

/** Inserts projects named `Project 0`, `Project 1` … and returns their UUIDs. */
export async function insertProjects(sql: Client, workspace: string, count: number) {
  const uuids = Array.from({ length: count }, nextUuid)
  await sql.query(
    `insert into projects (workspace_id, id, code, name, sort_name, search_text, status, version,
       created_at, updated_at)
     select $1, id, 'P' || (n - 1), 'Project ' || (n - 1), 'project ' || (n - 1),
       'project ' || (n - 1), 'active', 0, now(), now()
     from unnest($2::uuid[]) with ordinality as t (id, n)`,
    [workspace, uuids],
  )
  return uuids
}

export async function insertPeople(sql: Client, workspace: string, count: number) {
  const uuids = Array.from({ length: count }, nextUuid)
  await sql.query(
    `insert into people (workspace_id, id, name, sort_name, search_text, title_key, department_key,
       status, status_changed_at, version, created_at, updated_at)
     select $1, id, 'Person ' || n, 'person ' || n, 'person ' || n, '', '', 'active', now(), 0,
       now(), now()
     from unnest($2::uuid[]) with ordinality as t (id, n)`,
    [workspace, uuids],
  )
  await sql.query('update workspace_counters set people = people + $2 where workspace_id = $1', [
    workspace,
    count,
  ])
  return uuids
}

export async function insertRisks(
  sql: Client,
  workspace: { uuid: string; projects: string[] },
  risks: readonly BulkRisk[],
): Promise<void> {
  await sql.query(
    `insert into risks (workspace_id, id, project_id, ref, title, search_text, category, status,
       response, likelihood, impact, owner_user_id, closed_at, version, created_at, updated_at)
     select $1, id, ($2::uuid[])[project + 1], 'P' || project || '-R' || row_number() over (),
       title, lower(title), 'other', status, 'undecided', likelihood, impact, owner,
       case when status in ('occurred', 'closed') then now() end, 1, now(), now()
     from json_to_recordset($3) as t (id uuid, project integer, title text, status text,
       likelihood smallint, impact smallint, owner uuid)`,
    [workspace.uuid, workspace.projects, JSON.stringify(risks)],
  )
}

export async function insertIssues(
  sql: Client,
  workspace: { uuid: string; projects: string[] },
  issues: readonly BulkIssue[],
): Promise<void> {
  await sql.query(
    `insert into issues (workspace_id, id, project_id, ref, title, search_text, type, status,
       severity, assignee_user_id, opened_at, closed_at, version, created_at, updated_at)
     select $1, id, ($2::uuid[])[project + 1], 'P' || project || '-I' || row_number() over (),
       title, lower(title), 'problem', status, severity, assignee, opened_at,
       case when status = 'closed' then now() end, 1, now(), now()
     from json_to_recordset($3) as t (id uuid, project integer, title text, status text,
       severity smallint, assignee uuid, opened_at timestamptz)`,
    [workspace.uuid, workspace.projects, JSON.stringify(issues)],
  )
}

export const typeId = encodeId

/** Seeded random numbers: the same seed gives the same sequence. */
export function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return {
    below: (limit: number) => Math.floor(next() * limit),
    pick: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T,
  }
}
