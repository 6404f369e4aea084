-- Projects own risks and issues. The three numbers count the references that were given out
-- (DAM-R12, DAM-I7, DAM-T31); a number is never used again. The roll-ups show code and name on
-- every item, so the primary key carries them: they are read from the index alone.
create table projects (
  workspace_id uuid not null references workspaces,
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
  risk_number integer not null default 0,
  issue_number integer not null default 0,
  task_number integer not null default 0,
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id) include (code, name),
  constraint projects_code unique (workspace_id, code),
  foreign key (workspace_id, owner_user_id) references people
);

alter table projects enable row level security;
alter table projects force row level security;
create policy entered on projects
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on projects to muster_app;

-- Score and rank are stored, not computed on read, so that the register comes out of one index
-- already ranked: score down, impact down, oldest first. `rank_key` folds score and impact into one
-- ascending number. `owner_key` gives "nobody" a value, so that it can be looked up like any owner.
create table risks (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  project_id uuid not null,
  ref text collate "C" not null,
  title text not null,
  search_text text not null,
  description text,
  category text not null check (category in (
    'technical', 'external', 'organizational', 'delivery', 'financial', 'legal', 'security', 'people',
    'other'
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
  closed_at timestamptz(3),
  close_reason text check (close_reason in (
    'treated', 'no_longer_possible', 'avoided', 'duplicate', 'rejected', 'other'
  )),
  close_note text,
  tags text[] not null default '{}',
  metadata json not null default '{}',
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint risks_ref unique (workspace_id, ref),
  constraint risks_inherent check (num_nonnulls(inherent_likelihood, inherent_impact) <> 1),
  constraint risks_target check (num_nonnulls(target_likelihood, target_impact) <> 1),
  constraint risks_acceptance check (num_nonnulls(
    accepted_by_user_id, accepted_at, acceptance_expires_on, acceptance_rationale
  ) in (0, 4)),
  foreign key (workspace_id, project_id) references projects,
  foreign key (workspace_id, owner_user_id) references people,
  foreign key (workspace_id, accepted_by_user_id) references people
);

create index risks_by_rank on risks (workspace_id, rank_key, id) where is_live;
create index risks_by_project on risks (workspace_id, project_id, rank_key, id) where is_live;
create index risks_by_owner on risks (workspace_id, owner_key, rank_key, id) where is_live;

alter table risks enable row level security;
alter table risks force row level security;
create policy entered on risks
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on risks to muster_app;

-- Open is everything but closed. `severity_key` turns severity round, so that the order of the list
-- (worst first, then longest open) is one ascending index.
create table issues (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  project_id uuid not null,
  ref text collate "C" not null,
  title text not null,
  search_text text not null,
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
  metadata json not null default '{}',
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint issues_ref unique (workspace_id, ref),
  foreign key (workspace_id, project_id) references projects,
  foreign key (workspace_id, assignee_user_id) references people,
  foreign key (workspace_id, risk_id) references risks
);

create index issues_by_rank on issues (workspace_id, severity_key, opened_at, id) where is_open;
create index issues_by_project on issues (workspace_id, project_id, severity_key, opened_at, id)
where is_open;
create index issues_by_assignee on issues (workspace_id, assignee_key, severity_key, opened_at, id)
where is_open;

alter table issues enable row level security;
alter table issues force row level security;
create policy entered on issues
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on issues to muster_app;
