import type { Client } from 'pg'

import { acceptanceChecks } from './acceptances.ts'
import { findDocumentDrift } from './documents.ts'
import { findFigureDrift } from './figures.ts'
import { findHistoryDrift } from './history.ts'
import { driftNouns } from './nouns.ts'
import { rosterChecks } from './roster.ts'

/** Closed days of each workspace whose figures are counted again. */
const comparedDays = 5

/** One workspace, or all; and the current date there, or null to skip the check of flags. */
export interface DriftScope {
  readonly workspace?: string | null
  readonly today?: string | null
}

const inScope = 'where ($1::uuid is null or workspace_id = $1)'
const nil = '00000000-0000-0000-0000-000000000000'

const live = `(select * from risks ${inScope}
  and status in ('identified', 'treating', 'monitoring'))`
const open = `(select * from issues ${inScope} and status in ('open', 'in_progress', 'blocked'))`

const unfinished = `(select * from tasks ${inScope}
  and status in ('todo', 'in_progress', 'blocked'))`

const counts = Object.values(driftNouns).flatMap(({ table, counter }) => {
  if (counter === null) return []
  const [name, condition] = counter
  return [
    `('${name}', ${name}, (select count(*) from ${table} as i
      where i.workspace_id = c.workspace_id and i.${condition}))`,
  ]
})

const counters = `
  select format('The counter %s of %s is %s, and there are %s.', name, workspace_id, kept, counted)
    as message
  from (select * from workspace_counters ${inScope}) as c
  cross join lateral (values ${counts.join(', ')}) as each (name, kept, counted)
  where kept <> counted`

/** Each item once per value that it is counted under. */
const counted = `
  select workspace_id, 'risk' as noun, project_id, dimension, value
  from ${live} as i cross join lateral (
    values ('current', likelihood::text || impact),
      ('inherent', inherent_likelihood::text || inherent_impact),
      ('target', target_likelihood::text || target_impact),
      ('status', status), ('owner', coalesce(owner_user_id::text, 'none')),
      ('above_appetite', case when 'above_appetite' = any(flags) then
        case when accepted_at is null or 'acceptance_expired' = any(flags) then 'not_accepted'
          else 'accepted' end end)
    union all select 'flag', unnest(flags)
  ) as under (dimension, value)
  union all
  select workspace_id, 'issue', project_id, dimension, value
  from ${open} as i cross join lateral (
    values ('severity', severity::text), ('status', status),
      ('assignee', coalesce(assignee_user_id::text, 'none')),
      ('cell', severity || ' ' || to_char(opened_at at time zone 'UTC', 'YYYY-MM'))
    union all select 'flag', unnest(flags)
  ) as under (dimension, value)
  union all select workspace_id, 'task', project_id, 'status', status from ${unfinished} as i`

const summaryCounts = `
  with item as (
    select workspace_id, noun, project_id, dimension, value from (${counted}) as each
    where value is not null
  ), wide as (
    select * from item
    union all select workspace_id, noun, '${nil}', dimension, value from item
    union all select workspace_id, 'risk', '${nil}', 'project', project_id::text from ${live} as i
    union all select workspace_id, 'issue', '${nil}', 'project', project_id::text from ${open} as i
    union all select workspace_id, 'task', '${nil}', 'project', project_id::text
      from ${unfinished} as i
  ), real as (
    select workspace_id, noun, project_id, dimension, value, count(*) from wide
    group by workspace_id, noun, project_id, dimension, value
  )
  select format('The summary count %s %s %s of project %s of %s is %s, and there are %s.', noun, dimension,
    value, project_id, workspace_id, coalesce(kept.count, 0), coalesce(real.count, 0)) as message
  from (select * from summary_counts ${inScope}) as kept
  full join real using (workspace_id, noun, project_id, dimension, value)
  where coalesce(kept.count, 0) <> coalesce(real.count, 0)`

/** Missing and surplus tag and flag index rows. */
const indexRowsOf = (table: string, keys: string, item: string) => `
  with real as (
    select workspace_id, kind, value, ${keys}, id
    from ${item} as i cross join lateral (
      select 'flag', unnest(flags) union all select 'tag', unnest(tags)
    ) as indexed (kind, value)
  ), kept as (
    select workspace_id, kind, value, ${keys.replaceAll(/\S+ as /g, '')}, id
    from ${table} ${inScope}
  )
  select format('Of %s one is missing: %s.', '${table}', missing) as message
  from (select * from real except select * from kept) as missing
  union all select format('Of %s one is surplus: %s.', '${table}', surplus)
  from (select * from kept except select * from real) as surplus`

const riskIndexRows = indexRowsOf(
  'risk_index_rows',
  '-(likelihood*impact*10+impact) as rank_key',
  live,
)
const issueIndexRows = indexRowsOf('issue_index_rows', '-severity as severity_key, opened_at', open)

const flags = `
  select format('The risk %s of %s has the flags %s, and should have %s.', ref, workspace_id, flags,
    wanted) as message
  from (
    select r.workspace_id, r.ref, r.flags, array_remove(array[
      case when is_live and likelihood * impact > risk_appetite then 'above_appetite' end,
      case when is_live and acceptance_expires_on < $2::date then 'acceptance_expired' end,
      case when is_live and review_on < $2::date then 'review_overdue' end
    ], null) as wanted
    from (select * from risks ${inScope}) as r
    join projects as p on p.workspace_id = r.workspace_id and p.id = r.project_id
  ) as risk
  where flags <> wanted
  union all
  select format('The issue %s of %s has the flags %s.', ref, workspace_id, flags)
  from issues ${inScope} and flags <>
    case when status <> 'closed' and due_on < $2::date then '{overdue}' else '{}' end::text[]`

const refs = `
  with item as (
    select workspace_id, ref, 'R' as letter from risks
    union all select workspace_id, ref, 'I' from issues
    union all select workspace_id, ref, 'T' from tasks
  ), known as (
    select item.*, case letter when 'R' then risk_number when 'I' then issue_number
      else task_number end as given, code
    from (select * from item ${inScope}) as item
    left join projects as p on p.workspace_id = item.workspace_id
      and p.code = split_part(item.ref, '-', 1)
  )
  select format('The reference %s of %s was never assigned.', ref, workspace_id) as message from known
  where code is null or ref !~ ('^' || code || '-' || letter || '[1-9][0-9]*$')
    or substring(ref from '[0-9]+$')::integer > given
  union all
  select format('The reference %s of %s exists %s times.', ref, workspace_id, count(*)) from known
  group by workspace_id, ref having count(*) > 1`

const scores = `
  select format('The risk %s of %s has the score %s.', ref, workspace_id, score) as message
  from risks ${inScope} and (score <> likelihood * impact
    or rank_key <> -(likelihood * impact * 10 + impact))`

/** Combinations of columns that no row may have. */
const states = `
  with item as (
    select workspace_id, ref, project_id,
      status in ('identified', 'treating', 'monitoring') as is_on,
      (status = 'closed') = (closed_at is not null)
        and (status = 'closed') = (close_reason is not null)
        and (status <> 'occurred' or issue_ids <> '{}')
        and (issue_ids = '{}') = (occurred_at is null)
        and (response = 'accept') = (accepted_at is not null) as is_sound
    from risks
    union all
    select workspace_id, ref, project_id, status <> 'closed',
      (status = 'closed') = (closed_at is not null)
        and (status = 'closed') = (close_reason is not null)
    from issues
    union all
    select workspace_id, ref, project_id, status in ('todo', 'in_progress', 'blocked'),
      (status = 'done') = (completed_at is not null)
    from tasks
  )
  select format('%s of %s contradicts itself.', ref, workspace_id) as message
  from item ${inScope} and not is_sound
  union all
  select format('%s of %s is live, and its project is archived.', ref, item.workspace_id)
  from (select * from item ${inScope} and is_on) as item
  join projects as p on p.workspace_id = item.workspace_id and p.id = item.project_id
  where p.status = 'archived'`

/**
 * Recomputes all derived data from the rows and describes every difference. Shares no code with the
 * service. Needs a superuser.
 */
export async function findDrift(
  sql: Client,
  { workspace = null, today = null }: DriftScope = {},
): Promise<string[]> {
  const found: string[] = []
  const checks = [
    counters,
    summaryCounts,
    riskIndexRows,
    issueIndexRows,
    refs,
    scores,
    states,
    ...rosterChecks,
    ...acceptanceChecks,
  ]
  for (const query of checks) {
    const { rows } = await sql.query<{ message: string }>(query, [workspace])
    found.push(...rows.map(({ message }) => message))
  }
  if (today !== null) {
    const { rows } = await sql.query<{ message: string }>(flags, [workspace, today])
    found.push(...rows.map(({ message }) => message))
  }
  found.push(...(await findDocumentDrift(sql, workspace)))
  found.push(...(await findFigureDrift(sql, { workspace, days: comparedDays })))
  return [...found, ...(await findHistoryDrift(sql, workspace))]
}
