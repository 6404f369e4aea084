import { auditTypes } from '@muster/contract'

import { loggedEvents, loggedStates } from './logged.ts'
import { groups, memberships, people } from './people.ts'
import {
  at,
  chance,
  full,
  isPast,
  little,
  oneOf,
  past,
  projectOf,
  smallOne,
  spread,
  uuid,
  uuidAt,
  uuidOf,
  when,
} from './spread.ts'

/** One of the people who work on project j; 1 item in 50 is unassigned. */
const worker = (salt: number) =>
  when(
    `${chance(salt, 50)} > 0`,
    uuidAt(
      'people',
      `(j * 7 + ${chance(salt + 1, 'case home when 0 then 50 else 5 end')})
        % case home when 0 then 1000 else 20 end`,
    ),
  )

const tags = `array_remove(array[${when(`${chance(20, 100)} < 7`, `'flood'`)},
  ${when(`${chance(21, 100)} < 7`, `'gates'`)}], null)`

/** Three of four records come from another system. */
const externalId = when('k % 4 <> 3', `'X' || k`)

/** A quarter as many archived projects are added to those within the limit. */
const projects = `
  insert into projects (workspace_id, id, code, name, sort_name, search_text, status,
    owner_user_id, risk_appetite, external_id, version, created_at, updated_at)
  select workspace_id, ${uuidOf('projects', 'n')}, 'P' || n, 'Project number ' || n,
    'project number ' || n, 'p' || n || ' project number ' || n,
    case when k >= case home when ${smallOne} then ${little.projects} else ${full.projects} end
      then 'archived' when k % 10 = 7 then 'on_hold' else 'active' end,
    ${when('k % 10 <> 3', uuidAt('people', 'k % case home when 0 then 1000 else 20 end'))},
    ${when('k % 10 = 1', '15')}, ${externalId}, 1 + k, ${at}, ${at}
  from ${spread('projects', past)}`

const risks = `
  insert into risks (workspace_id, id, project_id, ref, title, search_text, category, status,
    response, likelihood, impact, inherent_likelihood, inherent_impact, target_likelihood,
    target_impact, owner_user_id, review_on, accepted_by_user_id, accepted_at,
    acceptance_expires_on, acceptance_rationale, occurred_at, flags, tags, external_id, version,
    created_at, updated_at)
  select workspace_id, ${uuidOf('risks', 'n')}, ${uuidAt('projects', 'j')}, 'R' || n,
    'The risk number ' || n, 'r' || n || ' the risk number ' || n,
    ${oneOf(1, 'technical external organizational delivery financial legal security people other')},
    case when ${isPast} then ${oneOf(2, 'occurred closed')}
      else ${oneOf(3, 'identified treating monitoring')} end,
    response, likelihood, impact, ${when('is_rated', '5')}, ${when('is_rated', 'impact')},
    ${when('is_rated', '1')}, ${when('is_rated', 'impact')}, ${worker(4)}, review_on,
    ${when('expires_on is not null', uuidAt('people', '0'))},
    ${when('expires_on is not null', at)}, expires_on,
    ${when('expires_on is not null', `'It is cheaper to repair.'`)},
    ${when(isPast, at)},
    array_remove(array[${when('j % 10 = 1 and likelihood * impact > 15', `'above_appetite'`)},
      ${when(`expires_on < '2026-06-01'`, `'acceptance_expired'`)},
      ${when('review_on is not null', `'review_overdue'`)}], null),
    ${tags}, ${externalId}, 1 + k, ${at}, ${at}
  from ${spread('risks', past)},
    lateral (select ${projectOf('k')} as j, 1 + ${chance(6, 5)} as likelihood,
      1 + ${chance(7, 5)} as impact, ${chance(8, 2)} = 0 as is_rated,
      ${oneOf(9, 'undecided avoid reduce transfer accept')} as response,
      ${when(`${chance(10, 100)} < 7`, `date '2026-01-02'`)} as review_on) t,
    lateral (select ${when(
      `response = 'accept'`,
      `case when ${chance(11, 5)} < 2 then date '2026-01-02' else '2999-01-01' end`,
    )} as expires_on) u`

const issues = `
  insert into issues (workspace_id, id, project_id, ref, title, search_text, type, status, severity,
    assignee_user_id, opened_at, due_on, close_reason, closed_at, flags, tags, external_id, version,
    created_at, updated_at)
  select workspace_id, ${uuidOf('issues', 'n')}, ${uuidAt('projects', 'j')}, 'I' || n,
    'The issue number ' || n, 'i' || n || ' the issue number ' || n, 'problem',
    case when ${isPast} then 'closed' else ${oneOf(12, 'open in_progress blocked')} end,
    1 + ${chance(13, 5)}, ${worker(14)},
    timestamptz '2026-06-01' - make_interval(mins => ${chance(16, 500_000)}),
    ${when('is_overdue', `date '2026-01-02'`)}, ${when(isPast, `'resolved'`)},
    ${when(isPast, at)}, case when is_overdue then '{overdue}'::text[] else '{}' end, ${tags},
    ${externalId}, 1 + k, ${at}, ${at}
  from ${spread('issues', past)},
    lateral (select ${projectOf('k')} as j, ${chance(17, 100)} < 7 as is_overdue) t`

/** 1 task in 5 belongs to one of the first risks, and 1 in 5 to one of the first issues. */
const tasks = `
  insert into tasks (workspace_id, id, project_id, ref, title, search_text, status,
    assignee_user_id, due_on, completed_at, risk_id, issue_id, external_id, version, created_at,
    updated_at)
  select workspace_id, ${uuidOf('tasks', 'n')}, ${uuidAt('projects', 'j')}, 'T' || n,
    'The task number ' || n, 't' || n || ' the task number ' || n,
    case when ${isPast} then ${oneOf(30, 'done cancelled')}
      else ${oneOf(31, 'todo in_progress blocked')} end,
    ${worker(32)}, ${when(`${chance(34, 5)} > 0`, `date '2026-01-01' + ${chance(35, 700)}`)},
    ${when(isPast, at)}, ${when(`about = 'risk'`, uuidAt('risks', 'item'))},
    ${when(`about = 'issue'`, uuidAt('issues', 'item'))}, ${externalId}, 1 + k, ${at}, ${at}
  from ${spread('tasks', past)},
    lateral (select ${oneOf(36, 'risk issue nothing nothing nothing')} as about,
      ${chance(37, 'case home when 0 then 1000 else 20 end')} as item) t,
    lateral (select case about when 'nothing' then k else item end as which) u,
    lateral (select ${projectOf('which')} as j) v`

const indexRows = `lateral (select 'tag', unnest(tags) union all select 'flag', unnest(flags))
  as index_row (kind, value)`

const riskIndexRows = `
  insert into risk_index_rows (workspace_id, kind, value, rank_key, id)
  select workspace_id, kind, value, rank_key, id from risks, ${indexRows} where is_live`

const issueIndexRows = `
  insert into issue_index_rows (workspace_id, kind, value, severity_key, opened_at, id)
  select workspace_id, kind, value, severity_key, opened_at, id from issues, ${indexRows}
  where is_open`

const counted = (noun: string, items: string, dimensions: string[]) => `
  select workspace_id, '${noun}' as noun, project_id, dimension, value, count(*)::integer as count
  from (${items}) as item, lateral (
    values ${[`('project', '')`, `('status', status)`, ...dimensions].join(', ')}
    union all select 'flag', unnest(flags)
  ) as one (dimension, value)
  where value is not null group by workspace_id, project_id, dimension, value`

const countedRisks = counted('risk', 'select * from risks where is_live', [
  `('current', likelihood::text || impact::text)`,
  `('inherent', inherent_likelihood::text || inherent_impact::text)`,
  `('target', target_likelihood::text || target_impact::text)`,
  `('owner', coalesce(owner_user_id::text, 'none'))`,
  `('above_appetite', case when 'above_appetite' = any(flags)
      then case when is_accepted then 'accepted' else 'not_accepted' end end)`,
])

const countedIssues = counted('issue', 'select * from issues where is_open', [
  `('severity', severity::text)`,
  `('assignee', coalesce(assignee_user_id::text, 'none'))`,
  `('cell', severity || to_char(opened_at at time zone 'UTC', ' YYYY-MM'))`,
])

const countedTasks = counted('task', `select *, '{}'::text[] as flags from tasks where is_open`, [])

/** Counts by dimension for each project, and summed up for the workspace. */
const summary_counts = `
  with counted as materialized (${countedRisks} union all ${countedIssues}
    union all ${countedTasks})
  insert into summary_counts (workspace_id, noun, project_id, dimension, value, count)
  select workspace_id, noun, project_id, dimension, value, count from counted
  where dimension <> 'project'
  union all
  select workspace_id, noun, '00000000-0000-0000-0000-000000000000', dimension,
    case dimension when 'project' then project_id::text else value end, sum(count)
  from counted group by 1, 2, 4, 5
  order by value`

export const lastSeq = 100_000_000
const historyLength = 1000
const longSeq = (s: string) => `${lastSeq / 2} + 10000 * place + ${s}`

/** A history of 1000 entries for the first item of each kind. */
const longHistories = `generate_series(1, ${historyLength}) as s, homes, (values
  (1, 'person', ${uuidOf('people', '0')}), (2, 'project', ${uuidOf('projects', '0')}),
  (3, 'risk', ${uuidOf('risks', '0')}), (4, 'issue', ${uuidOf('issues', '0')})
) as life (place, noun, id)`

/**
 * One state of every fifth risk, and all entries of the long histories, where every second state
 * changes the metadata.
 */
const history = `
  insert into history (workspace_id, noun, id, from_seq, metadata_seq, metadata, data)
  select workspace_id, 'risk', id, version, version, '{}'::jsonb,
    jsonb_build_object('id', id, 'title', title)
  from risks where version % 5 = 2
  union all
  select workspace_id, noun, id, ${longSeq('s')},
    ${longSeq('s - (s + 1) % 2')}, ${when('s % 2 = 1', `jsonb_build_object('n', s::text)`)},
    jsonb_build_object('title', 'State ' || s, 'description', repeat(md5(s::text), 20))
  from ${longHistories} where home = 0
  union all
  ${loggedStates}`

/**
 * 1 entry in 20 of the long histories was the last row of a batch. Events of different workspaces
 * are mixed, as after years of use.
 */
const events = `
  insert into events (workspace_id, seq, position, id, type, subject_id, project_id, actor_type,
    occurred_at)
  select * from (
    select workspace_id, version, 0, id, 'risk.created', id, project_id, 'system',
      created_at as occurred_at
    from risks where version % 5 = 2
    union all
    select workspace_id, ${longSeq('s')}, row, ${uuid('s')}, noun || '.updated',
      case when row = last then life.id else ${uuidOf('risks', 'row + 1')} end, null, 'system',
      now()
    from ${longHistories}, lateral (select case when s % 20 = 0 then 999 else 0 end as last) b,
      generate_series(0, last) as row
    where home = 0
    union all
    ${loggedEvents}
  ) as event order by occurred_at`

/** As many audit entries as tasks: every type, three in four about one of 1000 people. */
const auditEntries = `
  insert into audit_entries (workspace_id, id, type, actor_type, user_id, network, user_agent,
    occurred_at)
  select workspace_id, ${uuidOf('tasks', 'n')}, ${oneOf(80, auditTypes.join(' '))}, 'system',
    ${when(
      `${chance(81, 4)} > 0`,
      uuidAt('people', chance(82, 'case home when 0 then 1000 else 20 end')),
    )}, '203.0.113.0/24', 'Tester/1.0', ${at}
  from ${spread('tasks')}`

/** The acceptance of each accepted risk, and ten earlier ones by 100 people. */
const acceptances = `
  insert into acceptances (workspace_id, risk_id, accepted_at, project_id, ref, title,
    accepted_by_user_id, expires_on, rationale, appetite, likelihood, impact, status, ended_at,
    end_reason)
  select workspace_id, id, accepted_at - make_interval(days => age), project_id, ref, title,
    case age when 0 then accepted_by_user_id
      else ${uuidAt('people', `(version + age) % case home when 0 then 100 else 20 end`)} end,
    acceptance_expires_on, acceptance_rationale, 15, likelihood, impact,
    case when age > 0 or not is_live then 'ended'
      when 'acceptance_expired' = any(flags) then 'expired' else 'active' end,
    case when age > 0 or not is_live then accepted_at end,
    case when age > 0 then 'superseded' when not is_live then status end
  from risks join homes using (workspace_id), generate_series(0, 10) as age
  where accepted_at is not null`

/** The words of `search_text`, each after the hash of its workspace. */
const documentsOf = (noun: string, table: string, [project, isLive]: [string, string]) => `
  select workspace_id, '${noun}', id, ${project}, ${isLive}, (
      select string_agg(quote_literal(hash || word) || ':1A', ' ')
      from regexp_split_to_table(search_text, '[^a-z0-9]+') as word where word <> ''
    )::tsvector
  from ${table} join hashes using (workspace_id)`

const searchDocuments = `
  with hashes as (
    select workspace_id, left(encode(sha256(workspace_id::text::bytea), 'hex'), 8) as hash
    from homes
  )
  insert into search_documents (workspace_id, noun, id, project_id, is_live, document)
  ${[
    documentsOf('person', 'people', ['null::uuid', 'on_roster']),
    documentsOf('group', 'groups', ['null', 'is_active']),
    documentsOf('project', 'projects', ['id', `status <> 'archived'`]),
    documentsOf('risk', 'risks', ['project_id', 'is_live']),
    documentsOf('issue', 'issues', ['project_id', 'is_open']),
    documentsOf('task', 'tasks', ['project_id', 'is_open']),
  ].join(' union all ')}`

/** The insert statement of each table, in dependency order. */
export const tables = {
  people,
  memberships,
  groups,
  projects,
  risks,
  issues,
  tasks,
  acceptances,
  risk_index_rows: riskIndexRows,
  issue_index_rows: issueIndexRows,
  summary_counts,
  history,
  events,
  audit_entries: auditEntries,
  search_documents: searchDocuments,
}
