-- The roster. A row is never deleted, so a user id that was once given out is good for ever.
-- Departing frees email and external id for a newcomer, who gets an id of their own.
--
-- Some columns exist for the indexes alone. Row level security keeps operators that are not
-- leakproof (lower(), like, @>) out of an index, so what they would compute is stored and compared
-- as text: `email_key` is the email in lower case, `sort_name` the name without case and accents,
-- `search_text` what `q` looks into. `group_ids` repeats memberships, because a membership changes
-- the version of the person anyway and a page of the roster must not look each of them up.
create table people (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  sort_name text collate "C" not null,
  search_text text not null,
  email text,
  email_key text collate "C",
  phone text,
  title text,
  department text,
  external_id text collate "C",
  manager_user_id uuid,
  time_zone text,
  status text not null check (status in ('active', 'suspended', 'departed')),
  status_reason text,
  status_changed_at timestamptz(3) not null,
  on_roster boolean not null generated always as (status <> 'departed') stored,
  start_on date,
  end_on date,
  group_ids uuid[] not null default '{}',
  metadata json not null default '{}',
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, manager_user_id) references people
);

create unique index people_email on people (workspace_id, email_key) where on_roster;
create unique index people_external_id on people (workspace_id, external_id) where on_roster;

-- One index for each order of the roster, and one for each order within a status.
create index people_roster on people (workspace_id, created_at, id) where on_roster;
create index people_roster_by_name on people (workspace_id, sort_name, id) where on_roster;
create index people_roster_by_version on people (workspace_id, version, id) where on_roster;
create index people_by_status on people (workspace_id, status, created_at, id);
create index people_by_status_name on people (workspace_id, status, sort_name, id);
create index people_by_status_version on people (workspace_id, status, version, id);

alter table people enable row level security;
alter table people force row level security;
create policy entered on people
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on people to muster_app;

-- `member_count` and `lead_user_ids` are kept by the write that changes a membership.
-- `name_key`, the name in lower case, is what must be unique among active groups.
create table groups (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  name_key text collate "C" not null,
  sort_name text collate "C" not null,
  search_text text not null,
  description text,
  external_id text collate "C",
  status text not null check (status in ('active', 'archived')),
  is_active boolean not null generated always as (status = 'active') stored,
  member_count integer not null default 0 check (member_count >= 0),
  lead_user_ids uuid[] not null default '{}',
  metadata json not null default '{}',
  members_changed_at timestamptz(3) not null,
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create unique index groups_name on groups (workspace_id, name_key) where is_active;
create index groups_by_status on groups (workspace_id, status, created_at, id);
create index groups_by_status_name on groups (workspace_id, status, sort_name, id);
create index groups_by_status_version on groups (workspace_id, status, version, id);

alter table groups enable row level security;
alter table groups force row level security;
create policy entered on groups
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on groups to muster_app;

create table memberships (
  workspace_id uuid not null references workspaces,
  group_id uuid not null,
  user_id uuid not null,
  is_lead boolean not null default false,
  joined_at timestamptz(3) not null,
  primary key (workspace_id, group_id, user_id),
  foreign key (workspace_id, group_id) references groups,
  foreign key (workspace_id, user_id) references people
);

create index memberships_by_person on memberships (workspace_id, user_id, group_id);

alter table memberships enable row level security;
alter table memberships force row level security;
create policy entered on memberships
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update, delete on memberships to muster_app;
