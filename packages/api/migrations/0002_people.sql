-- People are never deleted: a user id stays valid. Departing frees email and external id for
-- another person.
--
-- Some columns exist for indexes. Row level security keeps operators that are not leakproof
-- (lower(), like, @>) out of an index condition, so their results are stored and compared as
-- text: `email_key` is the email in lower case; `sort_name`, `title_key` and `department_key` are
-- without letter case and accents; `manager_key` has a value for "none"; `search_text` is what
-- `q` searches. `search_key` is `search_text` in the covering indexes: `q` is answered by an
-- index-only scan in the order of the list. A b-tree entry holds at most 2704 bytes, so a longer
-- text is null there and is read from the table. `group_ids` repeats memberships, so that a page
-- of people needs no join.
--
-- An index-only scan reads the table for each page that changed since the last vacuum. So tables
-- with `search_key` are vacuumed after 5 % of their rows changed, not after 20 %.
create table people (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  sort_name text collate "C" not null,
  email text,
  email_key text collate "C",
  phone text,
  title text,
  title_key text collate "C" not null,
  department text,
  department_key text collate "C" not null,
  external_id text collate "C",
  manager_user_id uuid,
  manager_key uuid not null generated always as (
    coalesce(manager_user_id, '00000000-0000-0000-0000-000000000000')
  ) stored,
  time_zone text,
  status text not null check (status in ('active', 'suspended', 'departed')),
  status_reason text,
  status_changed_at timestamptz(3) not null,
  on_roster boolean not null generated always as (status <> 'departed') stored,
  start_on date,
  end_on date,
  group_ids uuid[] not null default '{}',
  metadata json not null default '{}',
  search_text text not null,
  search_key text generated always as (
    case when octet_length(search_text) <= 2000 then search_text end
  ) stored,
  erased_at timestamptz(3),
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

create unique index people_email on people (workspace_id, email_key) where on_roster;
create unique index people_external_id on people (workspace_id, external_id) where on_roster;

-- A list is read one status at a time, in one of three orders, within one filter.
create index people_by_status
on people (workspace_id, status, created_at, id) include (search_key);
create index people_by_status_name
on people (workspace_id, status, sort_name, id) include (search_key);
create index people_by_status_version
on people (workspace_id, status, version, id) include (search_key);
create index people_by_manager on people (workspace_id, manager_key, status, created_at, id);
create index people_by_manager_name on people (workspace_id, manager_key, status, sort_name, id);
create index people_by_manager_version on people (workspace_id, manager_key, status, version, id);
create index people_by_title on people (workspace_id, title_key, status, created_at, id);
create index people_by_title_name on people (workspace_id, title_key, status, sort_name, id);
create index people_by_title_version on people (workspace_id, title_key, status, version, id);
create index people_by_department on people (workspace_id, department_key, status, created_at, id);
create index people_by_department_name
on people (workspace_id, department_key, status, sort_name, id);
create index people_by_department_version
on people (workspace_id, department_key, status, version, id);
-- For the foreign key, when a workspace is deleted: `manager_key` does not serve it.
create index people_manager on people (workspace_id, manager_user_id)
where manager_user_id is not null;

-- A look-up by id can use any index that ends with the id. While a table is small they all seem
-- equal, and the planner prefers the newest, so the primary key of a noun is created last.
create unique index people_pkey on people (workspace_id, id);
alter table people add primary key using index people_pkey;
alter table people
add foreign key (workspace_id, manager_user_id) references people;

alter table people enable row level security;
alter table people force row level security;
create policy workspace_isolation on people
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
create policy authentication on people for select to muster_auth using (true);
grant select, insert, update on people to muster_app;
grant select (workspace_id, id, status, group_ids) on people to muster_auth;

-- `name_key`, the name in lower case, is unique among active groups. `member_count` and
-- `lead_user_ids` are kept by each write that changes a membership.
create table groups (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text collate "C" not null,
  sort_name text collate "C" not null,
  description text,
  external_id text collate "C",
  status text not null check (status in ('active', 'archived')),
  is_active boolean not null generated always as (status = 'active') stored,
  member_count integer not null default 0 check (member_count >= 0),
  lead_user_ids uuid[] not null default '{}',
  metadata json not null default '{}',
  members_changed_at timestamptz(3) not null,
  search_text text not null,
  search_key text generated always as (
    case when octet_length(search_text) <= 2000 then search_text end
  ) stored,
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

create unique index groups_name on groups (workspace_id, name_key) where is_active;
create index groups_by_status
on groups (workspace_id, status, created_at, id) include (search_key);
create index groups_by_status_name
on groups (workspace_id, status, sort_name, id) include (search_key);
create index groups_by_status_version
on groups (workspace_id, status, version, id) include (search_key);

create unique index groups_pkey on groups (workspace_id, id);
alter table groups add primary key using index groups_pkey;

alter table groups enable row level security;
alter table groups force row level security;
create policy workspace_isolation on groups
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on groups to muster_app;

-- A membership repeats the columns of the person that the members of a group are listed by.
create table memberships (
  workspace_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  joined_at timestamptz(3) not null,
  status text not null check (status in ('active', 'suspended')),
  sort_name text collate "C" not null,
  version bigint not null,
  created_at timestamptz(3) not null,
  foreign key (workspace_id, group_id) references groups,
  foreign key (workspace_id, user_id) references people
);

create index memberships_in_order
on memberships (workspace_id, group_id, status, created_at, user_id);
create index memberships_by_name
on memberships (workspace_id, group_id, status, sort_name, user_id);
create index memberships_by_version
on memberships (workspace_id, group_id, status, version, user_id);

create unique index memberships_pkey on memberships (workspace_id, group_id, user_id);
alter table memberships add primary key using index memberships_pkey;

alter table memberships enable row level security;
alter table memberships force row level security;
create policy workspace_isolation on memberships
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update, delete on memberships to muster_app;
