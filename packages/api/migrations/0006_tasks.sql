-- Tasks are what people do about a project, one of its risks or one of its issues. `due_key` gives
-- "no date" a place after every date, so that what is due first comes out of one ascending index.
alter table workspace_counters
  add column tasks_seq bigint not null default 0,
  add column open_tasks integer not null default 0,
  add column open_tasks_max integer not null default 200000,
  add constraint open_tasks_quota check (open_tasks between 0 and open_tasks_max) not valid;

create table tasks (
  workspace_id uuid not null references workspaces,
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
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint tasks_ref unique (workspace_id, ref),
  constraint tasks_about check (num_nonnulls(risk_id, issue_id) <= 1),
  foreign key (workspace_id, project_id) references projects,
  foreign key (workspace_id, assignee_user_id) references people,
  foreign key (workspace_id, risk_id) references risks,
  foreign key (workspace_id, issue_id) references issues
);

create index tasks_by_status on tasks (workspace_id, status, due_key, id);
create index tasks_by_project on tasks (workspace_id, project_id, status, due_key, id);
create index tasks_by_assignee on tasks (workspace_id, assignee_key, status, due_key, id);
create index tasks_by_risk on tasks (workspace_id, risk_id, status, due_key, id)
where risk_id is not null;
create index tasks_by_issue on tasks (workspace_id, issue_id, status, due_key, id)
where issue_id is not null;

alter table tasks enable row level security;
alter table tasks force row level security;
create policy entered on tasks
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on tasks to muster_app;

-- The door tells how far every collection has come, tasks among them.
drop function open_door (uuid[], bytea[]);
create function open_door(workspace_ids uuid[], hashes bytea[])
returns table (
  place bigint,
  key_id uuid,
  lineage uuid,
  scopes text[],
  status text,
  is_use_due boolean,
  life text,
  personnel_seq bigint,
  groups_seq bigint,
  projects_seq bigint,
  risks_seq bigint,
  issues_seq bigint,
  tasks_seq bigint
)
language plpgsql stable security definer
set search_path = muster, pg_temp
as $$
begin
  return query
    select
      asked.place,
      k.id,
      k.lineage,
      k.scopes,
      case
        when k.revoked_at is not null then 'revoked'
        when k.expires_at <= now() then 'expired'
        else 'active'
      end,
      k.last_used_at is null or k.last_used_at < now() - interval '1 minute',
      cluster.epoch || left(pg_walfile_name(pg_current_wal_lsn()), 8),
      c.personnel_seq,
      c.groups_seq,
      c.projects_seq,
      c.risks_seq,
      c.issues_seq,
      c.tasks_seq
    from unnest(workspace_ids, hashes) with ordinality as asked (workspace_id, hash, place)
    join api_keys k on k.workspace_id = asked.workspace_id and k.hash = asked.hash
    join workspace_counters c on c.workspace_id = k.workspace_id
    cross join cluster;
end
$$;

revoke all on function open_door (uuid[], bytea[]) from public;
grant execute on function open_door (uuid[], bytea[]) to muster_app;
grant create on schema muster to muster_auth;
alter function open_door (uuid[], bytea[]) owner to muster_auth;
revoke create on schema muster from muster_auth;
