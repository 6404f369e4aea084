-- A project owns its risks, issues and tasks. The three `…_number` columns count the references
-- given out (DAM-R12, DAM-I7, DAM-T31); a number is never reused. Both roll-ups show code and
-- name with every item, so the primary key includes them and an index-only scan finds them.
create table projects (
  workspace_id uuid not null,
  id uuid not null,
  code text collate "C" not null check (code ~ '^[A-Z][A-Z0-9]{1,9}$'),
  name text not null,
  description text,
  status text not null
    check (status in ('planned', 'active', 'on_hold', 'completed', 'cancelled', 'archived')),
  health text check (health in ('on_track', 'at_risk', 'off_track')),
  health_note text,
  health_set_at timestamptz(3),
  owner_user_id uuid,
  starts_on date,
  due_on date,
  risk_appetite smallint check (risk_appetite between 1 and 25),
  metadata json not null default '{}',
  sort_name text collate "C" not null,
  search_text text not null,
  search_key text generated always as (
    case when octet_length(search_text) <= 2000 then search_text end
  ) stored,
  risk_number integer not null default 0,
  issue_number integer not null default 0,
  task_number integer not null default 0,
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint projects_code unique (workspace_id, code),
  foreign key (workspace_id, owner_user_id) references people
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

create index projects_by_status
on projects (workspace_id, status, created_at, id) include (search_key);
create index projects_by_status_name
on projects (workspace_id, status, sort_name, id) include (search_key);
create index projects_by_status_version
on projects (workspace_id, status, version, id) include (search_key);
create index projects_by_owner on projects (workspace_id, owner_user_id, created_at, id)
where owner_user_id is not null;

create unique index projects_pkey on projects (workspace_id, id) include (code, name);
alter table projects add primary key using index projects_pkey;

alter table projects enable row level security;
alter table projects force row level security;
create policy workspace_isolation on projects
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on projects to muster_app;

-- Score and rank are stored, not computed on read: the register comes out of one index already
-- ranked, score down, impact down, oldest first. `rank_key` combines score and impact in one
-- ascending number. `owner_key` has a value for "none", so that it can be looked up like any
-- owner. `is_accepted` states that the acceptance is valid. It depends on a flag and not on the
-- date, so that a list, its filter and its ETag agree. `closed_key` is when a risk that is not live
-- was closed, else when it occurred.
create table risks (
  workspace_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  ref text collate "C" not null,
  title text not null,
  description text,
  category text not null check (category in (
    'technical', 'external', 'organizational', 'delivery', 'financial', 'legal', 'security',
    'people', 'other'
  )),
  status text not null
    check (status in ('identified', 'treating', 'monitoring', 'occurred', 'closed')),
  is_live boolean not null
    generated always as (status in ('identified', 'treating', 'monitoring')) stored,
  response text not null
    check (response in ('undecided', 'avoid', 'reduce', 'transfer', 'accept')),
  likelihood smallint not null check (likelihood between 1 and 5),
  impact smallint not null check (impact between 1 and 5),
  score smallint not null generated always as (likelihood * impact) stored,
  rank_key smallint not null generated always as (-(likelihood * impact * 10 + impact)) stored,
  inherent_likelihood smallint check (inherent_likelihood between 1 and 5),
  inherent_impact smallint check (inherent_impact between 1 and 5),
  target_likelihood smallint check (target_likelihood between 1 and 5),
  target_impact smallint check (target_impact between 1 and 5),
  target_due_on date,
  owner_user_id uuid,
  owner_key uuid not null generated always as (
    coalesce(owner_user_id, '00000000-0000-0000-0000-000000000000')
  ) stored,
  review_on date,
  last_reviewed_at timestamptz(3),
  accepted_by_user_id uuid,
  accepted_at timestamptz(3),
  acceptance_expires_on date,
  acceptance_rationale text,
  previous_score smallint,
  score_changed_at timestamptz(3),
  issue_ids uuid[] not null default '{}',
  flags text[] not null default '{}',
  is_accepted boolean not null generated always as (
    response = 'accept' and 'acceptance_expired' <> all(flags)
  ) stored,
  occurred_at timestamptz(3),
  closed_at timestamptz(3),
  closed_key timestamptz(3) generated always as (coalesce(closed_at, occurred_at)) stored,
  close_reason text check (close_reason in (
    'treated', 'no_longer_possible', 'avoided', 'duplicate', 'rejected', 'other'
  )),
  close_note text,
  tags text[] not null default '{}',
  links jsonb not null default '[]' check (
    case when jsonb_typeof(links) = 'array' then jsonb_array_length(links) <= 20 else false end
  ),
  metadata json not null default '{}',
  search_text text not null,
  search_key text generated always as (
    case when octet_length(search_text) <= 2000 then search_text end
  ) stored,
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint risks_ref unique (workspace_id, ref),
  constraint risks_inherent check (num_nonnulls(inherent_likelihood, inherent_impact) <> 1),
  constraint risks_target check (num_nonnulls(target_likelihood, target_impact) <> 1),
  constraint risks_acceptance check (num_nonnulls(
    accepted_by_user_id, accepted_at, acceptance_expires_on, acceptance_rationale
  ) in (0, 4)),
  constraint risks_closed_key check (is_live or closed_key is not null),
  foreign key (workspace_id, project_id) references projects,
  foreign key (workspace_id, owner_user_id) references people,
  foreign key (workspace_id, accepted_by_user_id) references people
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

-- The register: one index for each filter, in rank order.
create index risks_by_rank
on risks (workspace_id, rank_key, id) include (search_key) where is_live;
create index risks_by_project on risks (workspace_id, project_id, rank_key, id) where is_live;
create index risks_by_owner on risks (workspace_id, owner_key, rank_key, id) where is_live;
create index risks_by_category on risks (workspace_id, category, rank_key, id) where is_live;
create index risks_by_response on risks (workspace_id, response, rank_key, id) where is_live;
create index risks_by_status on risks (workspace_id, status, rank_key, id) where is_live;
create index risks_by_acceptance on risks (workspace_id, is_accepted, rank_key, id) where is_live;
-- The occurred and closed risks: one index for each filter, read backwards.
create index risks_closed
on risks (workspace_id, closed_key, id) include (search_key) where not is_live;
create index risks_closed_by_project on risks (workspace_id, project_id, closed_key, id)
where not is_live;
create index risks_closed_by_owner on risks (workspace_id, owner_key, closed_key, id)
where not is_live;
create index risks_closed_by_status on risks (workspace_id, status, closed_key, id)
where not is_live;
-- The risks of one project in every status, by creation or by last change.
create index risks_of_project on risks (workspace_id, project_id, status, id);
create index risks_of_project_by_version on risks (workspace_id, project_id, status, version, id);

create unique index risks_pkey on risks (workspace_id, id);
alter table risks add primary key using index risks_pkey;

alter table risks enable row level security;
alter table risks force row level security;
create policy workspace_isolation on risks
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on risks to muster_app;

-- An issue is open in every status but closed. `severity_key` negates severity, so that the order
-- of the open issues (worst first, then longest open) is one ascending index.
create table issues (
  workspace_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  ref text collate "C" not null,
  title text not null,
  description text,
  type text not null check (type in ('problem', 'change_request', 'dependency', 'other')),
  status text not null check (status in ('open', 'in_progress', 'blocked', 'closed')),
  is_open boolean not null generated always as (status <> 'closed') stored,
  severity smallint not null check (severity between 1 and 5),
  severity_key smallint not null generated always as (-severity) stored,
  assignee_user_id uuid,
  assignee_key uuid not null generated always as (
    coalesce(assignee_user_id, '00000000-0000-0000-0000-000000000000')
  ) stored,
  risk_id uuid,
  opened_at timestamptz(3) not null,
  due_on date,
  blocked_reason text,
  close_reason text
    check (close_reason in ('resolved', 'workaround', 'duplicate', 'not_an_issue', 'cancelled')),
  close_note text,
  closed_at timestamptz(3),
  reopened_count integer not null default 0,
  flags text[] not null default '{}',
  tags text[] not null default '{}',
  links jsonb not null default '[]' check (
    case when jsonb_typeof(links) = 'array' then jsonb_array_length(links) <= 20 else false end
  ),
  metadata json not null default '{}',
  search_text text not null,
  search_key text generated always as (
    case when octet_length(search_text) <= 2000 then search_text end
  ) stored,
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint issues_ref unique (workspace_id, ref),
  constraint issues_closed_at check (is_open or closed_at is not null),
  foreign key (workspace_id, project_id) references projects,
  foreign key (workspace_id, assignee_user_id) references people,
  foreign key (workspace_id, risk_id) references risks
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

-- The open issues: one index for each filter, in rank order.
create index issues_by_rank
on issues (workspace_id, severity_key, opened_at, id) include (search_key) where is_open;
create index issues_by_project on issues (workspace_id, project_id, severity_key, opened_at, id)
where is_open;
create index issues_by_assignee on issues (workspace_id, assignee_key, severity_key, opened_at, id)
where is_open;
create index issues_by_status on issues (workspace_id, status, severity_key, opened_at, id)
where is_open;
-- The closed issues: one index for each filter, read backwards.
create index issues_closed
on issues (workspace_id, closed_at, id) include (search_key) where not is_open;
create index issues_closed_by_project on issues (workspace_id, project_id, closed_at, id)
where not is_open;
create index issues_closed_by_assignee on issues (workspace_id, assignee_key, closed_at, id)
where not is_open;
-- The issues of one project in every status, by creation or by last change.
create index issues_of_project on issues (workspace_id, project_id, status, id);
create index issues_of_project_by_version on issues (workspace_id, project_id, status, version, id);

create unique index issues_pkey on issues (workspace_id, id);
alter table issues add primary key using index issues_pkey;

alter table issues enable row level security;
alter table issues force row level security;
create policy workspace_isolation on issues
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on issues to muster_app;

-- A task belongs to a project, and may treat one of its risks or one of its issues. `due_key`
-- sorts "no date" after every date, so that the tasks due first come out of one ascending index.
create table tasks (
  workspace_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  ref text collate "C" not null,
  title text not null,
  description text,
  status text not null check (status in ('todo', 'in_progress', 'blocked', 'done', 'cancelled')),
  is_open boolean not null
    generated always as (status in ('todo', 'in_progress', 'blocked')) stored,
  assignee_user_id uuid,
  assignee_key uuid not null generated always as (
    coalesce(assignee_user_id, '00000000-0000-0000-0000-000000000000')
  ) stored,
  due_on date,
  due_key date not null generated always as (coalesce(due_on, 'infinity')) stored,
  completed_at timestamptz(3),
  risk_id uuid,
  issue_id uuid,
  search_text text not null,
  search_key text generated always as (
    case when octet_length(search_text) <= 2000 then search_text end
  ) stored,
  links jsonb not null default '[]' check (
    case when jsonb_typeof(links) = 'array' then jsonb_array_length(links) <= 20 else false end
  ),
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint tasks_ref unique (workspace_id, ref),
  constraint tasks_about check (num_nonnulls(risk_id, issue_id) <= 1),
  foreign key (workspace_id, project_id) references projects,
  foreign key (workspace_id, assignee_user_id) references people,
  foreign key (workspace_id, risk_id) references risks,
  foreign key (workspace_id, issue_id) references issues
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

create index tasks_by_status
on tasks (workspace_id, status, due_key, id) include (search_key);
create index tasks_by_project on tasks (workspace_id, project_id, status, due_key, id);
create index tasks_by_assignee on tasks (workspace_id, assignee_key, status, due_key, id);
create index tasks_by_risk on tasks (workspace_id, risk_id, status, due_key, id)
where risk_id is not null;
create index tasks_by_issue on tasks (workspace_id, issue_id, status, due_key, id)
where issue_id is not null;

create unique index tasks_pkey on tasks (workspace_id, id);
alter table tasks add primary key using index tasks_pkey;

alter table tasks enable row level security;
alter table tasks force row level security;
create policy workspace_isolation on tasks
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on tasks to muster_app;
