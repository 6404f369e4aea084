-- A workspace is one organisation, and everything else belongs to exactly one of them:
-- `workspace_id` leads every key and every index, so that one schema serves a single server, cells,
-- and shards.
--
-- Every tenant table has two walls. Each statement names its workspace; and row level security,
-- forced on the owner too, lets a transaction see only the workspace it has entered by setting
-- `app.ws`. `current_setting` is called without `missing_ok`: a transaction that entered none gets
-- an error, never an empty answer.
--
-- Instants have three fractional digits, here as on the wire: a cursor carries them back, and what
-- was rounded on the way out would not find its place again.
create table workspaces (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  time_zone text not null,
  created_at timestamptz(3) not null
);

alter table workspaces enable row level security;
alter table workspaces force row level security;
create policy entered on workspaces
  using (id = current_setting('app.ws')::uuid)
  with check (id = current_setting('app.ws')::uuid);
-- Whoever administers the service finds a workspace by its name before entering it.
create policy listed on workspaces for select to muster_owner using (true);
grant select on workspaces to muster_app;

-- The one number: every write takes the next `seq` of its workspace and stamps the collections it
-- touched with it. The row lock makes numbers commit in order and without gaps. The table is
-- narrow, half empty and has no second index, so that each bump is a cheap update in place.
--
-- It also counts what the workspace holds. The quotas are constraints: a write that would break one
-- cannot commit, however many run at once.
create table workspace_counters (
  workspace_id uuid primary key references workspaces,
  seq bigint not null default 0,
  personnel_seq bigint not null default 0,
  groups_seq bigint not null default 0,
  projects_seq bigint not null default 0,
  risks_seq bigint not null default 0,
  issues_seq bigint not null default 0,
  people integer not null default 0,
  groups integer not null default 0,
  projects integer not null default 0,
  live_risks integer not null default 0,
  open_issues integer not null default 0,
  keys integer not null default 0,
  people_max integer not null,
  groups_max integer not null,
  projects_max integer not null,
  live_risks_max integer not null,
  open_issues_max integer not null,
  keys_max integer not null,
  constraint people_quota check (people between 0 and people_max),
  constraint groups_quota check (groups between 0 and groups_max),
  constraint projects_quota check (projects between 0 and projects_max),
  constraint live_risks_quota check (live_risks between 0 and live_risks_max),
  constraint open_issues_quota check (open_issues between 0 and open_issues_max),
  constraint keys_quota check (keys between 0 and keys_max)
) with (fillfactor = 50);

alter table workspace_counters enable row level security;
alter table workspace_counters force row level security;
create policy entered on workspace_counters
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
create policy looked_up on workspace_counters for select to muster_auth using (true);
grant select, update on workspace_counters to muster_app;
grant select on workspace_counters to muster_auth;

-- What all processes on this database share. The epoch says which life of the database a number
-- belongs to: a restore sets a new one, because a number that comes back with other content
-- validates nothing.
create table cluster (
  is_only boolean primary key default true check (is_only),
  epoch text not null,
  cursor_secret bytea not null
);

insert into cluster (epoch, cursor_secret)
values (
  left(replace(gen_random_uuid()::text, '-', ''), 12),
  decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')
);
grant select on cluster to muster_app;
grant select (epoch) on cluster to muster_auth;
