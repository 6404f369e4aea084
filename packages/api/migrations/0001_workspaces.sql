-- A workspace is one organisation, and one tenant. `workspace_id` leads every key and every index
-- of a tenant table, so the same schema serves a single server and shards.
--
-- Two mechanisms separate tenants. Each statement names its workspace. Row level security, forced
-- on the owner too, limits a transaction to the workspace in the setting `app.ws`.
-- `current_setting` is called without `missing_ok`: a transaction that has not set it gets an
-- error, not an empty result.
--
-- Roles: muster_owner owns the objects and runs migrations, muster_app is the service,
-- muster_auth owns the functions that look across workspaces. `migrate` creates them.
--
-- Timestamps have three fractional digits, as in the API: a cursor carries them back, and a value
-- that was rounded in a response would not find its position again.
create table workspaces (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  time_zone text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  -- The longest life of a new key; null for the limit of the service.
  key_days_max integer,
  session_days integer not null default 7,
  version bigint not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

alter table workspaces enable row level security;
alter table workspaces force row level security;
create policy workspace_isolation on workspaces
  using (id = current_setting('app.ws')::uuid)
  with check (id = current_setting('app.ws')::uuid);
-- An administrator looks a workspace up by its name before entering it.
create policy administration on workspaces for select to muster_owner using (true);
create policy authentication on workspaces for select to muster_auth using (true);
grant select on workspaces to muster_app, muster_auth;
grant update (name, time_zone, key_days_max, session_days, version, updated_at)
on workspaces to muster_app;

-- The sequence numbers. Every write takes the next `seq` of its workspace and stores it in the
-- `…_seq` column of each collection it changes. The row lock makes numbers commit in order and
-- without gaps. The table is narrow, half empty and has no second index, so that each increment
-- is a heap-only update.
--
-- Tables that only numbered writes insert into do not reference workspaces. Without this row
-- there is no number, and the events of the write cannot be inserted. A foreign key would lock
-- the row of the workspace again for each row.
--
-- The table also counts what a workspace holds. Quotas are constraints: a write that exceeds one
-- cannot commit, however many writes run at once.
create table workspace_counters (
  workspace_id uuid primary key references workspaces,
  seq bigint not null default 0,
  -- The terms of the sequence numbers: a term has a random name and a first number. A write on
  -- another server than the last one starts a term. A number that was lost there and is given
  -- again here is then of another term, and so has another ETag.
  terms text[] not null default '{}',
  term_firsts bigint[] not null default '{}',
  term_server text not null default '',
  -- Signs the pagination cursors. It moves with the workspace.
  cursor_secret text not null
    default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  personnel_seq bigint not null default 0,
  groups_seq bigint not null default 0,
  projects_seq bigint not null default 0,
  risks_seq bigint not null default 0,
  issues_seq bigint not null default 0,
  tasks_seq bigint not null default 0,
  keys_seq bigint not null default 0,
  access_seq bigint not null default 0,
  people integer not null default 0,
  groups integer not null default 0,
  projects integer not null default 0,
  live_risks integer not null default 0,
  open_issues integer not null default 0,
  open_tasks integer not null default 0,
  keys integer not null default 0,
  people_max integer not null,
  groups_max integer not null,
  projects_max integer not null,
  live_risks_max integer not null,
  open_issues_max integer not null,
  open_tasks_max integer not null,
  keys_max integer not null,
  constraint people_quota check (people between 0 and people_max),
  constraint groups_quota check (groups between 0 and groups_max),
  constraint projects_quota check (projects between 0 and projects_max),
  constraint live_risks_quota check (live_risks between 0 and live_risks_max),
  constraint open_issues_quota check (open_issues between 0 and open_issues_max),
  constraint open_tasks_quota check (open_tasks between 0 and open_tasks_max),
  constraint keys_quota check (keys between 0 and keys_max)
) with (fillfactor = 50);

alter table workspace_counters enable row level security;
alter table workspace_counters force row level security;
create policy workspace_isolation on workspace_counters
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
create policy authentication on workspace_counters for select to muster_auth using (true);
grant select, update on workspace_counters to muster_app;
grant select on workspace_counters to muster_auth;

-- One row for all processes on this database. The epoch is part of every ETag. It changes only by
-- hand, after data was loaded into the running server.
create table cluster (
  is_only boolean primary key default true check (is_only),
  epoch text not null
);

insert into cluster (epoch)
values (left(replace(gen_random_uuid()::text, '-', ''), 12));
grant select on cluster to muster_app;
grant select (epoch) on cluster to muster_auth;

-- The running server and database: a promotion has another timeline, a start another time, and a
-- restored dump or a copy another file. A term is of one of these.
create function server_identity() returns text
language sql volatile
return left(pg_walfile_name(pg_current_wal_lsn()), 8)
  || '.' || extract(epoch from pg_postmaster_start_time())::text
  || '.' || pg_relation_filepath('cluster');
revoke all on function server_identity () from public;
grant execute on function server_identity () to muster_app, muster_auth;

-- The service is ready only when every migration of its release has been applied.
grant select on kysely_migration to muster_app;
