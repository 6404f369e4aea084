create table acceptances (
  workspace_id uuid not null,
  risk_id uuid not null,
  accepted_at timestamp(3) with time zone not null,
  project_id uuid not null,
  ref text collate "C" not null,
  title text not null,
  accepted_by_user_id uuid not null,
  expires_on date not null,
  rationale text not null,
  appetite smallint,
  likelihood smallint,
  impact smallint,
  status text not null,
  ended_at timestamp(3) with time zone,
  end_reason text,
  constraint acceptances_pkey PRIMARY KEY (workspace_id, risk_id, accepted_at),
  constraint acceptances_workspace_id_accepted_by_user_id_fkey FOREIGN KEY (workspace_id, accepted_by_user_id) REFERENCES people(workspace_id, id),
  constraint acceptances_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id),
  constraint acceptances_workspace_id_risk_id_fkey FOREIGN KEY (workspace_id, risk_id) REFERENCES risks(workspace_id, id),
  constraint acceptances_appetite_check CHECK (((appetite >= 1) AND (appetite <= 25))),
  constraint acceptances_end CHECK ((num_nonnulls(ended_at, end_reason) =
CASE
    WHEN (status = 'ended'::text) THEN 2
    ELSE 0
END)),
  constraint acceptances_end_reason_check CHECK ((end_reason = ANY (ARRAY['withdrawn'::text, 'superseded'::text, 'occurred'::text, 'closed'::text]))),
  constraint acceptances_impact_check CHECK (((impact >= 1) AND (impact <= 5))),
  constraint acceptances_likelihood_check CHECK (((likelihood >= 1) AND (likelihood <= 5))),
  constraint acceptances_rating CHECK ((num_nonnulls(likelihood, impact) <> 1)),
  constraint acceptances_status_check CHECK ((status = ANY (ARRAY['active'::text, 'expired'::text, 'ended'::text])))
);
CREATE INDEX acceptances_by_person ON acceptances USING btree (workspace_id, accepted_by_user_id, accepted_at, risk_id);
CREATE INDEX acceptances_by_project ON acceptances USING btree (workspace_id, project_id, accepted_at, risk_id);
CREATE INDEX acceptances_by_status ON acceptances USING btree (workspace_id, status, accepted_at, risk_id);
CREATE INDEX acceptances_by_time ON acceptances USING btree (workspace_id, accepted_at, risk_id);
create policy workspace_isolation on acceptances to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant insert, select, update on acceptances to muster_app;

create table access_entries (
  workspace_id uuid not null,
  subject_id uuid not null,
  user_id uuid,
  group_id uuid,
  role text not null,
  is_granting boolean not null,
  version bigint not null,
  created_at timestamp(3) with time zone not null,
  constraint access_entries_pkey PRIMARY KEY (workspace_id, subject_id),
  constraint access_entries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint access_entries_workspace_id_group_id_fkey FOREIGN KEY (workspace_id, group_id) REFERENCES groups(workspace_id, id),
  constraint access_entries_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES people(workspace_id, id),
  constraint access_entries_check CHECK (((subject_id = COALESCE(user_id, group_id)) AND ((user_id IS NULL) <> (group_id IS NULL)))),
  constraint access_entries_role_check CHECK ((role = ANY (ARRAY['reader'::text, 'contributor'::text, 'manager'::text, 'admin'::text])))
);
CREATE INDEX access_entries_group ON access_entries USING btree (workspace_id, group_id) WHERE (group_id IS NOT NULL);
CREATE INDEX access_entries_user ON access_entries USING btree (workspace_id, user_id) WHERE (user_id IS NOT NULL);
create policy authentication on access_entries to muster_auth using (true);
create policy workspace_isolation on access_entries to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select, update on access_entries to muster_app;
grant select on access_entries to muster_auth;

create table api_keys (
  workspace_id uuid not null,
  id uuid not null,
  lineage uuid not null,
  hash bytea not null,
  hint text not null,
  name text not null,
  scopes text[] not null,
  allowed_cidrs text[] default '{}'::text[] not null,
  user_id uuid,
  responsible_user_id uuid,
  created_by_type text not null,
  created_by_id uuid,
  created_by_user_id uuid,
  expires_at timestamp(3) with time zone,
  is_expiry_notified boolean default false not null,
  revoked_at timestamp(3) with time zone,
  replaces uuid,
  replaced_by uuid,
  rotated_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  last_used_from text,
  refused_at timestamp(3) with time zone,
  life text generated always as (
CASE
    WHEN (revoked_at IS NULL) THEN 'live'::text
    ELSE 'past'::text
END) stored not null,
  version bigint not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  project_ids uuid[],
  constraint api_keys_pkey PRIMARY KEY (workspace_id, id),
  constraint api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint api_keys_workspace_id_responsible_user_id_fkey FOREIGN KEY (workspace_id, responsible_user_id) REFERENCES people(workspace_id, id),
  constraint api_keys_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES people(workspace_id, id),
  constraint api_keys_hash_check CHECK ((length(hash) = 32)),
  constraint api_keys_project_ids_check CHECK (((cardinality(project_ids) >= 1) AND (cardinality(project_ids) <= 50)))
);
CREATE INDEX api_keys_by_responsible ON api_keys USING btree (workspace_id, responsible_user_id) WHERE (responsible_user_id IS NOT NULL);
CREATE INDEX api_keys_by_user ON api_keys USING btree (workspace_id, user_id, life, id) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX api_keys_hash ON api_keys USING btree (workspace_id, hash);
CREATE INDEX api_keys_in_order ON api_keys USING btree (workspace_id, life, id);
create policy authentication on api_keys to muster_auth using (true);
create policy workspace_isolation on api_keys to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant insert, select, update on api_keys to muster_app;
grant select on api_keys to muster_auth;

create table audit_entries (
  workspace_id uuid not null,
  id uuid not null,
  type text not null,
  actor_type text not null,
  actor_id uuid,
  actor_user_id uuid,
  user_id uuid,
  subject_id text,
  reason text,
  network text,
  user_agent text,
  count integer default 1 not null,
  failure_key text,
  occurred_at timestamp(3) with time zone not null,
  written_on text collate "C" default audit_server() not null,
  written_xid bigint default ((pg_current_xact_id())::text)::bigint not null,
  is_anonymous boolean default false not null,
  is_imported boolean default false not null,
  constraint audit_entries_pkey PRIMARY KEY (workspace_id, id),
  constraint audit_entries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint audit_entries_actor_type_check CHECK ((actor_type = ANY (ARRAY['key'::text, 'person'::text, 'admin'::text, 'system'::text])))
);
CREATE INDEX audit_entries_by_actor ON audit_entries USING btree (workspace_id, actor_user_id) WHERE (actor_user_id IS NOT NULL);
CREATE INDEX audit_entries_by_position ON audit_entries USING btree (workspace_id, written_on, written_xid, id);
CREATE INDEX audit_entries_by_time ON audit_entries USING btree (workspace_id, occurred_at, id);
CREATE INDEX audit_entries_by_type ON audit_entries USING btree (workspace_id, type, occurred_at, id);
CREATE INDEX audit_entries_by_user ON audit_entries USING btree (workspace_id, user_id, occurred_at, id) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX audit_entries_failure ON audit_entries USING btree (workspace_id, failure_key) WHERE (failure_key IS NOT NULL);
CREATE INDEX audit_entries_refused ON audit_entries USING btree (workspace_id, is_anonymous, occurred_at, id) WHERE (type = ANY (ARRAY['sign_in.failed'::text, 'request.refused'::text]));
create policy workspace_isolation on audit_entries to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select on audit_entries to muster_app;
grant update (count, failure_key, network, reason, subject_id, user_agent, user_id) on audit_entries to muster_app;

create table binding_holds (
  workspace_id uuid not null,
  user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  fields text[] default '{}'::text[] not null,
  rights text[] default '{}'::text[] not null,
  is_bound boolean default false not null,
  actor_type text,
  actor_id uuid,
  actor_user_id uuid,
  constraint binding_holds_pkey PRIMARY KEY (workspace_id, user_id),
  constraint binding_holds_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint binding_holds_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES people(workspace_id, id),
  constraint binding_holds_actor_type_check CHECK ((actor_type = ANY (ARRAY['key'::text, 'person'::text, 'admin'::text, 'system'::text])))
);
create policy workspace_isolation on binding_holds to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select, update on binding_holds to muster_app;

create table cluster (
  is_only boolean default true not null,
  epoch text not null,
  constraint cluster_pkey PRIMARY KEY (is_only),
  constraint cluster_is_only_check CHECK (is_only)
);
grant select on cluster to muster_app;
grant select (epoch) on cluster to muster_auth;

create table daily_figures (
  workspace_id uuid not null,
  project_id uuid not null,
  day date not null,
  cells integer[] not null,
  above_appetite integer not null,
  above_appetite_accepted integer not null,
  reviews_overdue integer not null,
  entered integer not null,
  "left" integer not null,
  occurred integer not null,
  issues_open integer not null,
  issues_opened integer not null,
  issues_closed integer not null,
  issues_overdue integer not null,
  tasks_open integer not null,
  tasks_overdue integer not null,
  tasks_done integer not null,
  constraint daily_figures_pkey PRIMARY KEY (workspace_id, project_id, day),
  constraint daily_figures_cells_check CHECK ((cardinality(cells) = 25))
);
create policy workspace_isolation on daily_figures to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant insert, select on daily_figures to muster_app;

create table days (
  workspace_id uuid not null,
  day date not null,
  ends_at timestamp(3) with time zone not null,
  last_seq bigint not null,
  has_task_figures boolean default true not null,
  constraint days_pkey PRIMARY KEY (workspace_id, day)
);
create policy workspace_isolation on days to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant insert, select on days to muster_app;
grant update (has_task_figures) on days to muster_app;

create table departures (
  workspace_id uuid not null,
  user_id uuid not null,
  departs_on date not null,
  status_reason text,
  if_assigned text not null,
  handover jsonb,
  planned_by_type text not null,
  planned_by_id uuid not null,
  planned_by_user_id uuid,
  planned_at timestamp(3) with time zone not null,
  refused_at timestamp(3) with time zone,
  refusal_code text,
  refusal_detail text,
  constraint departures_pkey PRIMARY KEY (workspace_id, user_id),
  constraint departures_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint departures_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES people(workspace_id, id),
  constraint departures_if_assigned_check CHECK ((if_assigned = ANY (ARRAY['keep'::text, 'fail'::text]))),
  constraint departures_planned_by_type_check CHECK ((planned_by_type = ANY (ARRAY['key'::text, 'person'::text]))),
  constraint departures_refusal CHECK ((((refused_at IS NULL) = (refusal_code IS NULL)) AND ((refused_at IS NULL) = (refusal_detail IS NULL))))
);
CREATE INDEX departures_by_day ON departures USING btree (workspace_id, departs_on, user_id);
create policy workspace_isolation on departures to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select, update on departures to muster_app;

create table events (
  workspace_id uuid not null,
  seq bigint not null,
  "position" smallint not null,
  id uuid not null,
  type text not null,
  subject_id uuid not null,
  project_id uuid,
  actor_type text not null,
  actor_id uuid,
  actor_user_id uuid,
  request_id uuid,
  changed text[] default '{}'::text[] not null,
  data json default '{}'::json not null,
  occurred_at timestamp(3) with time zone not null,
  constraint events_pkey PRIMARY KEY (workspace_id, seq, "position"),
  constraint events_actor_type_check CHECK ((actor_type = ANY (ARRAY['key'::text, 'person'::text, 'admin'::text, 'system'::text])))
);
create policy workspace_isolation on events to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant insert, select on events to muster_app;

create table groups (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text collate "C" not null,
  sort_name text collate "C" not null,
  description text,
  external_id text collate "C",
  status text not null,
  is_active boolean generated always as ((status = 'active'::text)) stored not null,
  member_count integer default 0 not null,
  lead_user_ids uuid[] default '{}'::uuid[] not null,
  metadata json default '{}'::json not null,
  members_changed_at timestamp(3) with time zone not null,
  search_text text not null,
  search_key text generated always as (
CASE
    WHEN (octet_length(search_text) <= 2000) THEN search_text
    ELSE NULL::text
END) stored,
  version bigint not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint groups_pkey PRIMARY KEY (workspace_id, id),
  constraint groups_member_count_check CHECK ((member_count >= 0)),
  constraint groups_status_check CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text])))
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.05);
CREATE INDEX groups_by_external_id ON groups USING btree (workspace_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX groups_by_name ON groups USING btree (workspace_id, name_key);
CREATE INDEX groups_by_status ON groups USING btree (workspace_id, status, created_at, id) INCLUDE (search_key);
CREATE INDEX groups_by_status_name ON groups USING btree (workspace_id, status, sort_name, id) INCLUDE (search_key);
CREATE INDEX groups_by_status_version ON groups USING btree (workspace_id, status, version, id) INCLUDE (search_key);
CREATE UNIQUE INDEX groups_name ON groups USING btree (workspace_id, name_key) WHERE is_active;
create policy workspace_isolation on groups to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant insert, select, update on groups to muster_app;

create table history (
  workspace_id uuid not null,
  noun text not null,
  id uuid not null,
  from_seq bigint not null,
  metadata_seq bigint not null,
  metadata jsonb,
  data jsonb not null,
  project_id uuid,
  constraint history_pkey PRIMARY KEY (workspace_id, id, from_seq),
  constraint history_check CHECK ((metadata_seq <= from_seq)),
  constraint history_metadata CHECK (((metadata IS NOT NULL) = (metadata_seq = from_seq)))
);
create policy workspace_isolation on history to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant insert, select, update on history to muster_app;

create table idempotency_records (
  workspace_id uuid not null,
  digest bytea not null,
  fingerprint bytea not null,
  seq bigint not null,
  result json not null,
  is_personal boolean not null,
  created_at timestamp(3) with time zone not null,
  project_ids uuid[],
  constraint idempotency_records_pkey PRIMARY KEY (workspace_id, digest)
);
CREATE INDEX idempotency_records_by_age ON idempotency_records USING btree (workspace_id, created_at);
CREATE INDEX idempotency_records_personal ON idempotency_records USING btree (workspace_id) WHERE is_personal;
create policy workspace_isolation on idempotency_records to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select, update on idempotency_records to muster_app;

create table identities (
  workspace_id uuid not null,
  user_id uuid not null,
  issuer text not null,
  subject text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  constraint identities_subject UNIQUE (workspace_id, issuer, subject),
  constraint identities_pkey PRIMARY KEY (workspace_id, user_id),
  constraint identities_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint identities_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES people(workspace_id, id)
);
create policy workspace_isolation on identities to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select on identities to muster_app;
grant update (last_used_at) on identities to muster_app;

create table issue_index_rows (
  workspace_id uuid not null,
  kind text not null,
  value text collate "C" not null,
  severity_key smallint not null,
  opened_at timestamp(3) with time zone not null,
  id uuid not null,
  constraint issue_index_rows_pkey PRIMARY KEY (workspace_id, kind, value, severity_key, opened_at, id),
  constraint issue_index_rows_kind_check CHECK ((kind = ANY (ARRAY['flag'::text, 'tag'::text])))
);
create policy workspace_isolation on issue_index_rows to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select on issue_index_rows to muster_app;

create table issues (
  workspace_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  ref text collate "C" not null,
  title text not null,
  description text,
  type text not null,
  status text not null,
  is_open boolean generated always as ((status <> 'closed'::text)) stored not null,
  severity smallint not null,
  severity_key smallint generated always as ((- severity)) stored not null,
  assignee_user_id uuid,
  assignee_key uuid generated always as (COALESCE(assignee_user_id, '00000000-0000-0000-0000-000000000000'::uuid)) stored not null,
  risk_id uuid,
  opened_at timestamp(3) with time zone not null,
  due_on date,
  blocked_reason text,
  close_reason text,
  close_note text,
  closed_at timestamp(3) with time zone,
  reopened_count integer default 0 not null,
  flags text[] default '{}'::text[] not null,
  tags text[] default '{}'::text[] not null,
  links jsonb default '[]'::jsonb not null,
  metadata json default '{}'::json not null,
  search_text text not null,
  search_key text generated always as (
CASE
    WHEN (octet_length(search_text) <= 2000) THEN search_text
    ELSE NULL::text
END) stored,
  version bigint not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  external_id text collate "C",
  constraint issues_ref UNIQUE (workspace_id, ref),
  constraint issues_pkey PRIMARY KEY (workspace_id, id),
  constraint issues_workspace_id_assignee_user_id_fkey FOREIGN KEY (workspace_id, assignee_user_id) REFERENCES people(workspace_id, id),
  constraint issues_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id),
  constraint issues_workspace_id_risk_id_fkey FOREIGN KEY (workspace_id, risk_id) REFERENCES risks(workspace_id, id),
  constraint issues_close_reason_check CHECK ((close_reason = ANY (ARRAY['resolved'::text, 'workaround'::text, 'duplicate'::text, 'not_an_issue'::text, 'cancelled'::text]))),
  constraint issues_closed_at CHECK ((is_open OR (closed_at IS NOT NULL))),
  constraint issues_links_check CHECK (
CASE
    WHEN (jsonb_typeof(links) = 'array'::text) THEN (jsonb_array_length(links) <= 20)
    ELSE false
END),
  constraint issues_severity_check CHECK (((severity >= 1) AND (severity <= 5))),
  constraint issues_status_check CHECK ((status = ANY (ARRAY['open'::text, 'in_progress'::text, 'blocked'::text, 'closed'::text]))),
  constraint issues_type_check CHECK ((type = ANY (ARRAY['problem'::text, 'change_request'::text, 'dependency'::text, 'other'::text])))
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.05);
CREATE INDEX issues_by_assignee ON issues USING btree (workspace_id, assignee_key, severity_key, opened_at, id) WHERE is_open;
CREATE INDEX issues_by_project ON issues USING btree (workspace_id, project_id, severity_key, opened_at, id) WHERE is_open;
CREATE INDEX issues_by_rank ON issues USING btree (workspace_id, severity_key, opened_at, id) INCLUDE (search_key) WHERE is_open;
CREATE INDEX issues_by_risk ON issues USING btree (workspace_id, risk_id) WHERE (risk_id IS NOT NULL);
CREATE INDEX issues_by_status ON issues USING btree (workspace_id, status, severity_key, opened_at, id) WHERE is_open;
CREATE INDEX issues_closed ON issues USING btree (workspace_id, closed_at, id) INCLUDE (search_key) WHERE (NOT is_open);
CREATE INDEX issues_closed_by_assignee ON issues USING btree (workspace_id, assignee_key, closed_at, id) WHERE (NOT is_open);
CREATE INDEX issues_closed_by_project ON issues USING btree (workspace_id, project_id, closed_at, id) WHERE (NOT is_open);
CREATE UNIQUE INDEX issues_external_id ON issues USING btree (workspace_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX issues_of_project ON issues USING btree (workspace_id, project_id, status, id);
CREATE INDEX issues_of_project_by_version ON issues USING btree (workspace_id, project_id, status, version, id);
CREATE INDEX issues_sort_keys ON issues USING btree (workspace_id, severity_key, opened_at, id) INCLUDE (search_key, assignee_key, due_on, severity, version) WHERE is_open;
create policy workspace_isolation on issues to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant insert, select, update on issues to muster_app;

create table job_locks (
  name text not null,
  holder uuid not null,
  until timestamp with time zone not null,
  constraint job_locks_pkey PRIMARY KEY (name)
);
grant insert, select, update on job_locks to muster_app;

create table memberships (
  workspace_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  joined_at timestamp(3) with time zone not null,
  status text not null,
  sort_name text collate "C" not null,
  version bigint not null,
  created_at timestamp(3) with time zone not null,
  constraint memberships_pkey PRIMARY KEY (workspace_id, group_id, user_id),
  constraint memberships_workspace_id_group_id_fkey FOREIGN KEY (workspace_id, group_id) REFERENCES groups(workspace_id, id),
  constraint memberships_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES people(workspace_id, id),
  constraint memberships_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text])))
);
CREATE INDEX memberships_by_name ON memberships USING btree (workspace_id, group_id, status, sort_name, user_id);
CREATE INDEX memberships_by_version ON memberships USING btree (workspace_id, group_id, status, version, user_id);
CREATE INDEX memberships_in_order ON memberships USING btree (workspace_id, group_id, status, created_at, user_id);
create policy workspace_isolation on memberships to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select, update on memberships to muster_app;

create table migration_checksums (
  name text not null,
  checksum text not null,
  constraint migration_checksums_pkey PRIMARY KEY (name),
  constraint migration_checksums_checksum_check CHECK ((checksum ~ '^[0-9a-f]{64}$'::text))
);
grant select on migration_checksums to muster_app;

create table passkeys (
  workspace_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  credential_id text collate "C" not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] default '{}'::text[] not null,
  name text not null,
  last_used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint passkeys_credential UNIQUE (workspace_id, credential_id),
  constraint passkeys_pkey PRIMARY KEY (workspace_id, id),
  constraint passkeys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint passkeys_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES people(workspace_id, id)
);
CREATE INDEX passkeys_by_user ON passkeys USING btree (workspace_id, user_id, id);
create policy workspace_isolation on passkeys to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select, update on passkeys to muster_app;

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
  manager_key uuid generated always as (COALESCE(manager_user_id, '00000000-0000-0000-0000-000000000000'::uuid)) stored not null,
  time_zone text,
  status text not null,
  status_reason text,
  status_changed_at timestamp(3) with time zone not null,
  on_roster boolean generated always as ((status <> 'departed'::text)) stored not null,
  start_on date,
  end_on date,
  group_ids uuid[] default '{}'::uuid[] not null,
  metadata json default '{}'::json not null,
  search_text text not null,
  search_key text generated always as (
CASE
    WHEN (octet_length(search_text) <= 2000) THEN search_text
    ELSE NULL::text
END) stored,
  erased_at timestamp(3) with time zone,
  version bigint not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint people_pkey PRIMARY KEY (workspace_id, id),
  constraint people_workspace_id_manager_user_id_fkey FOREIGN KEY (workspace_id, manager_user_id) REFERENCES people(workspace_id, id),
  constraint people_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'departed'::text])))
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.05);
CREATE INDEX people_by_department ON people USING btree (workspace_id, department_key, status, created_at, id);
CREATE INDEX people_by_department_name ON people USING btree (workspace_id, department_key, status, sort_name, id);
CREATE INDEX people_by_department_version ON people USING btree (workspace_id, department_key, status, version, id);
CREATE INDEX people_by_email ON people USING btree (workspace_id, email_key) WHERE (email_key IS NOT NULL);
CREATE INDEX people_by_external_id ON people USING btree (workspace_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX people_by_manager ON people USING btree (workspace_id, manager_key, status, created_at, id);
CREATE INDEX people_by_manager_name ON people USING btree (workspace_id, manager_key, status, sort_name, id);
CREATE INDEX people_by_manager_version ON people USING btree (workspace_id, manager_key, status, version, id);
CREATE INDEX people_by_status ON people USING btree (workspace_id, status, created_at, id) INCLUDE (search_key);
CREATE INDEX people_by_status_name ON people USING btree (workspace_id, status, sort_name, id) INCLUDE (search_key);
CREATE INDEX people_by_status_version ON people USING btree (workspace_id, status, version, id) INCLUDE (search_key);
CREATE INDEX people_by_title ON people USING btree (workspace_id, title_key, status, created_at, id);
CREATE INDEX people_by_title_name ON people USING btree (workspace_id, title_key, status, sort_name, id);
CREATE INDEX people_by_title_version ON people USING btree (workspace_id, title_key, status, version, id);
CREATE UNIQUE INDEX people_email ON people USING btree (workspace_id, email_key) WHERE on_roster;
CREATE UNIQUE INDEX people_external_id ON people USING btree (workspace_id, external_id) WHERE on_roster;
CREATE INDEX people_manager ON people USING btree (workspace_id, manager_user_id) WHERE (manager_user_id IS NOT NULL);
create policy authentication on people to muster_auth using (true);
create policy workspace_isolation on people to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant insert, select, update on people to muster_app;
grant select (group_ids, id, status, workspace_id) on people to muster_auth;

create table projects (
  workspace_id uuid not null,
  id uuid not null,
  code text collate "C" not null,
  name text not null,
  description text,
  status text not null,
  health text,
  health_note text,
  health_set_at timestamp(3) with time zone,
  owner_user_id uuid,
  starts_on date,
  due_on date,
  risk_appetite smallint,
  metadata json default '{}'::json not null,
  sort_name text collate "C" not null,
  search_text text not null,
  search_key text generated always as (
CASE
    WHEN (octet_length(search_text) <= 2000) THEN search_text
    ELSE NULL::text
END) stored,
  risk_number integer default 0 not null,
  issue_number integer default 0 not null,
  task_number integer default 0 not null,
  version bigint not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  external_id text collate "C",
  constraint projects_code UNIQUE (workspace_id, code),
  constraint projects_pkey PRIMARY KEY (workspace_id, id) INCLUDE (code, name),
  constraint projects_workspace_id_owner_user_id_fkey FOREIGN KEY (workspace_id, owner_user_id) REFERENCES people(workspace_id, id),
  constraint projects_code_check CHECK ((code ~ '^[A-Z][A-Z0-9]{1,9}$'::text)),
  constraint projects_health_check CHECK ((health = ANY (ARRAY['on_track'::text, 'at_risk'::text, 'off_track'::text]))),
  constraint projects_risk_appetite_check CHECK (((risk_appetite >= 1) AND (risk_appetite <= 25))),
  constraint projects_status_check CHECK ((status = ANY (ARRAY['planned'::text, 'active'::text, 'on_hold'::text, 'completed'::text, 'cancelled'::text, 'archived'::text])))
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.05);
CREATE INDEX projects_by_owner ON projects USING btree (workspace_id, owner_user_id, created_at, id) WHERE (owner_user_id IS NOT NULL);
CREATE INDEX projects_by_status ON projects USING btree (workspace_id, status, created_at, id) INCLUDE (search_key);
CREATE INDEX projects_by_status_name ON projects USING btree (workspace_id, status, sort_name, id) INCLUDE (search_key);
CREATE INDEX projects_by_status_version ON projects USING btree (workspace_id, status, version, id) INCLUDE (search_key);
CREATE UNIQUE INDEX projects_external_id ON projects USING btree (workspace_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX projects_sort_keys ON projects USING btree (workspace_id, status, id) INCLUDE (created_at, health, owner_user_id, due_on);
create policy workspace_isolation on projects to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant insert, select, update on projects to muster_app;

create table risk_index_rows (
  workspace_id uuid not null,
  kind text not null,
  value text collate "C" not null,
  rank_key smallint not null,
  id uuid not null,
  constraint risk_index_rows_pkey PRIMARY KEY (workspace_id, kind, value, rank_key, id),
  constraint risk_index_rows_kind_check CHECK ((kind = ANY (ARRAY['flag'::text, 'tag'::text])))
);
create policy workspace_isolation on risk_index_rows to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select on risk_index_rows to muster_app;

create table risks (
  workspace_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  ref text collate "C" not null,
  title text not null,
  description text,
  category text not null,
  status text not null,
  is_live boolean generated always as ((status = ANY (ARRAY['identified'::text, 'treating'::text, 'monitoring'::text]))) stored not null,
  response text not null,
  likelihood smallint not null,
  impact smallint not null,
  score smallint generated always as ((likelihood * impact)) stored not null,
  rank_key smallint generated always as ((- (((likelihood * impact) * 10) + impact))) stored not null,
  inherent_likelihood smallint,
  inherent_impact smallint,
  target_likelihood smallint,
  target_impact smallint,
  target_due_on date,
  owner_user_id uuid,
  owner_key uuid generated always as (COALESCE(owner_user_id, '00000000-0000-0000-0000-000000000000'::uuid)) stored not null,
  review_on date,
  last_reviewed_at timestamp(3) with time zone,
  accepted_by_user_id uuid,
  accepted_at timestamp(3) with time zone,
  acceptance_expires_on date,
  acceptance_rationale text,
  previous_score smallint,
  score_changed_at timestamp(3) with time zone,
  issue_ids uuid[] default '{}'::uuid[] not null,
  flags text[] default '{}'::text[] not null,
  is_accepted boolean generated always as (((response = 'accept'::text) AND ('acceptance_expired'::text <> ALL (flags)))) stored not null,
  occurred_at timestamp(3) with time zone,
  closed_at timestamp(3) with time zone,
  closed_key timestamp(3) with time zone generated always as (COALESCE(closed_at, occurred_at)) stored,
  close_reason text,
  close_note text,
  tags text[] default '{}'::text[] not null,
  links jsonb default '[]'::jsonb not null,
  metadata json default '{}'::json not null,
  search_text text not null,
  search_key text generated always as (
CASE
    WHEN (octet_length(search_text) <= 2000) THEN search_text
    ELSE NULL::text
END) stored,
  version bigint not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  acceptance_appetite smallint,
  acceptance_likelihood smallint,
  acceptance_impact smallint,
  acceptance_rated_at timestamp(3) with time zone,
  external_id text collate "C",
  constraint risks_ref UNIQUE (workspace_id, ref),
  constraint risks_pkey PRIMARY KEY (workspace_id, id),
  constraint risks_workspace_id_accepted_by_user_id_fkey FOREIGN KEY (workspace_id, accepted_by_user_id) REFERENCES people(workspace_id, id),
  constraint risks_workspace_id_owner_user_id_fkey FOREIGN KEY (workspace_id, owner_user_id) REFERENCES people(workspace_id, id),
  constraint risks_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id),
  constraint risks_acceptance CHECK ((num_nonnulls(accepted_by_user_id, accepted_at, acceptance_expires_on, acceptance_rationale) = ANY (ARRAY[0, 4]))),
  constraint risks_acceptance_appetite_check CHECK (((acceptance_appetite >= 1) AND (acceptance_appetite <= 25))),
  constraint risks_acceptance_impact_check CHECK (((acceptance_impact >= 1) AND (acceptance_impact <= 5))),
  constraint risks_acceptance_likelihood_check CHECK (((acceptance_likelihood >= 1) AND (acceptance_likelihood <= 5))),
  constraint risks_category_check CHECK ((category = ANY (ARRAY['technical'::text, 'external'::text, 'organizational'::text, 'delivery'::text, 'financial'::text, 'legal'::text, 'security'::text, 'people'::text, 'other'::text]))),
  constraint risks_close_reason_check CHECK ((close_reason = ANY (ARRAY['treated'::text, 'no_longer_possible'::text, 'avoided'::text, 'duplicate'::text, 'rejected'::text, 'other'::text]))),
  constraint risks_closed_key CHECK ((is_live OR (closed_key IS NOT NULL))),
  constraint risks_impact_check CHECK (((impact >= 1) AND (impact <= 5))),
  constraint risks_inherent CHECK ((num_nonnulls(inherent_likelihood, inherent_impact) <> 1)),
  constraint risks_inherent_impact_check CHECK (((inherent_impact >= 1) AND (inherent_impact <= 5))),
  constraint risks_inherent_likelihood_check CHECK (((inherent_likelihood >= 1) AND (inherent_likelihood <= 5))),
  constraint risks_likelihood_check CHECK (((likelihood >= 1) AND (likelihood <= 5))),
  constraint risks_links_check CHECK (
CASE
    WHEN (jsonb_typeof(links) = 'array'::text) THEN (jsonb_array_length(links) <= 20)
    ELSE false
END),
  constraint risks_response_check CHECK ((response = ANY (ARRAY['undecided'::text, 'avoid'::text, 'reduce'::text, 'transfer'::text, 'accept'::text]))),
  constraint risks_status_check CHECK ((status = ANY (ARRAY['identified'::text, 'treating'::text, 'monitoring'::text, 'occurred'::text, 'closed'::text]))),
  constraint risks_target CHECK ((num_nonnulls(target_likelihood, target_impact) <> 1)),
  constraint risks_target_impact_check CHECK (((target_impact >= 1) AND (target_impact <= 5))),
  constraint risks_target_likelihood_check CHECK (((target_likelihood >= 1) AND (target_likelihood <= 5)))
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.05);
CREATE INDEX risks_by_acceptance ON risks USING btree (workspace_id, is_accepted, rank_key, id) WHERE is_live;
CREATE INDEX risks_by_category ON risks USING btree (workspace_id, category, rank_key, id) WHERE is_live;
CREATE INDEX risks_by_owner ON risks USING btree (workspace_id, owner_key, rank_key, id) WHERE is_live;
CREATE INDEX risks_by_project ON risks USING btree (workspace_id, project_id, rank_key, id) WHERE is_live;
CREATE INDEX risks_by_rank ON risks USING btree (workspace_id, rank_key, id) INCLUDE (search_key) WHERE is_live;
CREATE INDEX risks_by_response ON risks USING btree (workspace_id, response, rank_key, id) WHERE is_live;
CREATE INDEX risks_by_status ON risks USING btree (workspace_id, status, rank_key, id) WHERE is_live;
CREATE INDEX risks_closed ON risks USING btree (workspace_id, closed_key, id) INCLUDE (search_key) WHERE (NOT is_live);
CREATE INDEX risks_closed_by_owner ON risks USING btree (workspace_id, owner_key, closed_key, id) WHERE (NOT is_live);
CREATE INDEX risks_closed_by_project ON risks USING btree (workspace_id, project_id, closed_key, id) WHERE (NOT is_live);
CREATE INDEX risks_closed_by_status ON risks USING btree (workspace_id, status, closed_key, id) WHERE (NOT is_live);
CREATE UNIQUE INDEX risks_external_id ON risks USING btree (workspace_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX risks_of_project ON risks USING btree (workspace_id, project_id, status, id);
CREATE INDEX risks_of_project_by_version ON risks USING btree (workspace_id, project_id, status, version, id);
CREATE INDEX risks_sort_keys ON risks USING btree (workspace_id, rank_key, id) INCLUDE (search_key, owner_key, review_on, score, version) WHERE is_live;
create policy workspace_isolation on risks to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant insert, select, update on risks to muster_app;

create table search_documents (
  workspace_id uuid not null,
  noun text collate "C" not null,
  id uuid not null,
  project_id uuid,
  is_live boolean not null,
  document tsvector not null,
  constraint search_documents_pkey PRIMARY KEY (workspace_id, id),
  constraint search_documents_noun_check CHECK ((noun = ANY (ARRAY['person'::text, 'group'::text, 'project'::text, 'risk'::text, 'issue'::text, 'task'::text])))
);
CREATE INDEX search_documents_words ON search_documents USING gin (document) WITH (fastupdate=off);
create policy search on search_documents to muster_auth using (true);
create policy workspace_isolation on search_documents to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant insert, select, update on search_documents to muster_app;
grant select on search_documents to muster_auth;

create table sessions (
  workspace_id uuid not null,
  hash bytea not null,
  id uuid not null,
  key_id uuid,
  user_id uuid,
  method text not null,
  network text,
  user_agent text,
  authenticated_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  previous_visit_at timestamp(3) with time zone,
  constraint sessions_id UNIQUE (workspace_id, id),
  constraint sessions_pkey PRIMARY KEY (workspace_id, hash),
  constraint sessions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint sessions_workspace_id_key_id_fkey FOREIGN KEY (workspace_id, key_id) REFERENCES api_keys(workspace_id, id),
  constraint sessions_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES people(workspace_id, id),
  constraint sessions_hash_check CHECK ((length(hash) = 32)),
  constraint sessions_holder CHECK (((key_id IS NULL) <> (user_id IS NULL))),
  constraint sessions_method_check CHECK ((method = ANY (ARRAY['key'::text, 'link'::text, 'passkey'::text, 'oidc'::text])))
);
CREATE INDEX sessions_by_expiry ON sessions USING btree (workspace_id, expires_at);
CREATE INDEX sessions_by_key ON sessions USING btree (workspace_id, key_id, created_at);
CREATE INDEX sessions_by_user ON sessions USING btree (workspace_id, user_id, created_at) WHERE (user_id IS NOT NULL);
create policy authentication on sessions to muster_auth using (true);
create policy workspace_isolation on sessions to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select on sessions to muster_app;
grant select on sessions to muster_auth;
grant update (last_used_at) on sessions to muster_app;

create table sign_in_flows (
  workspace_id uuid not null,
  hash bytea not null,
  kind text not null,
  data json not null,
  expires_at timestamp(3) with time zone not null,
  constraint sign_in_flows_pkey PRIMARY KEY (workspace_id, hash),
  constraint sign_in_flows_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint sign_in_flows_hash_check CHECK ((length(hash) = 32)),
  constraint sign_in_flows_kind_check CHECK ((kind = ANY (ARRAY['oidc'::text, 'passkey'::text, 'passkey_registration'::text])))
);
CREATE INDEX sign_in_flows_by_expiry ON sign_in_flows USING btree (workspace_id, expires_at);
create policy workspace_isolation on sign_in_flows to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select on sign_in_flows to muster_app;

create table sign_in_links (
  workspace_id uuid not null,
  hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  expires_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint sign_in_links_pkey PRIMARY KEY (workspace_id, hash),
  constraint sign_in_links_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint sign_in_links_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES people(workspace_id, id),
  constraint sign_in_links_hash_check CHECK ((length(hash) = 32)),
  constraint sign_in_links_purpose_check CHECK ((purpose = ANY (ARRAY['sign_in'::text, 'invitation'::text])))
);
CREATE INDEX sign_in_links_by_expiry ON sign_in_links USING btree (workspace_id, expires_at);
CREATE INDEX sign_in_links_by_user ON sign_in_links USING btree (workspace_id, user_id);
create policy workspace_isolation on sign_in_links to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select on sign_in_links to muster_app;

create table sign_in_providers (
  workspace_id uuid not null,
  issuer text not null,
  client_id text not null,
  client_secret bytea not null,
  match text not null,
  allowed_domains text[] default '{}'::text[] not null,
  first_sign_in text not null,
  version bigint not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint sign_in_providers_pkey PRIMARY KEY (workspace_id),
  constraint sign_in_providers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint sign_in_providers_first_sign_in_check CHECK ((first_sign_in = ANY (ARRAY['refuse'::text, 'reader'::text]))),
  constraint sign_in_providers_match_check CHECK ((match = ANY (ARRAY['external_id'::text, 'email'::text])))
);
create policy workspace_isolation on sign_in_providers to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select, update on sign_in_providers to muster_app;

create table summary_counts (
  workspace_id uuid not null,
  noun text not null,
  project_id uuid not null,
  dimension text not null,
  value text collate "C" not null,
  count integer not null,
  constraint summary_counts_pkey PRIMARY KEY (workspace_id, noun, project_id, dimension, value),
  constraint summary_counts_count_check CHECK ((count >= 0)),
  constraint summary_counts_noun_check CHECK ((noun = ANY (ARRAY['risk'::text, 'issue'::text, 'task'::text])))
) with (fillfactor=80);
CREATE INDEX summary_counts_by_count ON summary_counts USING btree (workspace_id, noun, project_id, dimension, count DESC, value);
create policy workspace_isolation on summary_counts to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant insert, select, update on summary_counts to muster_app;

create table sweeps (
  workspace_id uuid not null,
  swept_on date not null,
  constraint sweeps_pkey PRIMARY KEY (workspace_id),
  constraint sweeps_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
create policy authentication on sweeps to muster_auth using (true);
create policy workspace_isolation on sweeps to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select, update on sweeps to muster_app;
grant select on sweeps to muster_auth;

create table tasks (
  workspace_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  ref text collate "C" not null,
  title text not null,
  description text,
  status text not null,
  is_open boolean generated always as ((status = ANY (ARRAY['todo'::text, 'in_progress'::text, 'blocked'::text]))) stored not null,
  assignee_user_id uuid,
  assignee_key uuid generated always as (COALESCE(assignee_user_id, '00000000-0000-0000-0000-000000000000'::uuid)) stored not null,
  due_on date,
  due_key date generated always as (COALESCE(due_on, 'infinity'::date)) stored not null,
  completed_at timestamp(3) with time zone,
  risk_id uuid,
  issue_id uuid,
  search_text text not null,
  search_key text generated always as (
CASE
    WHEN (octet_length(search_text) <= 2000) THEN search_text
    ELSE NULL::text
END) stored,
  links jsonb default '[]'::jsonb not null,
  version bigint not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  external_id text collate "C",
  constraint tasks_ref UNIQUE (workspace_id, ref),
  constraint tasks_pkey PRIMARY KEY (workspace_id, id),
  constraint tasks_workspace_id_assignee_user_id_fkey FOREIGN KEY (workspace_id, assignee_user_id) REFERENCES people(workspace_id, id),
  constraint tasks_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES issues(workspace_id, id),
  constraint tasks_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id),
  constraint tasks_workspace_id_risk_id_fkey FOREIGN KEY (workspace_id, risk_id) REFERENCES risks(workspace_id, id),
  constraint tasks_about CHECK ((num_nonnulls(risk_id, issue_id) <= 1)),
  constraint tasks_links_check CHECK (
CASE
    WHEN (jsonb_typeof(links) = 'array'::text) THEN (jsonb_array_length(links) <= 20)
    ELSE false
END),
  constraint tasks_status_check CHECK ((status = ANY (ARRAY['todo'::text, 'in_progress'::text, 'blocked'::text, 'done'::text, 'cancelled'::text])))
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.05);
CREATE INDEX tasks_by_assignee ON tasks USING btree (workspace_id, assignee_key, status, due_key, id);
CREATE INDEX tasks_by_issue ON tasks USING btree (workspace_id, issue_id, status, due_key, id) WHERE (issue_id IS NOT NULL);
CREATE INDEX tasks_by_project ON tasks USING btree (workspace_id, project_id, status, due_key, id);
CREATE INDEX tasks_by_risk ON tasks USING btree (workspace_id, risk_id, status, due_key, id) WHERE (risk_id IS NOT NULL);
CREATE INDEX tasks_by_status ON tasks USING btree (workspace_id, status, due_key, id) INCLUDE (search_key);
CREATE UNIQUE INDEX tasks_external_id ON tasks USING btree (workspace_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX tasks_sort_keys ON tasks USING btree (workspace_id, status, due_key, id) INCLUDE (search_key, assignee_key, due_on, version);
create policy workspace_isolation on tasks to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant insert, select, update on tasks to muster_app;

create table term_starts (
  workspace_id uuid not null,
  first_seq bigint not null,
  term text not null,
  started_at timestamp(3) with time zone not null,
  constraint term_starts_pkey PRIMARY KEY (workspace_id, first_seq, term),
  constraint term_starts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint term_starts_term_check CHECK ((term ~ '^[0-9a-f]{12}$'::text))
);
create policy workspace_isolation on term_starts to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant insert, select on term_starts to muster_app;

create table visits (
  workspace_id uuid not null,
  user_id uuid not null,
  last_at timestamp(3) with time zone not null,
  constraint visits_pkey PRIMARY KEY (workspace_id, user_id)
);
create policy workspace_isolation on visits to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant delete, insert, select, update on visits to muster_app;

create table workspace_counters (
  workspace_id uuid not null,
  seq bigint default 0 not null,
  terms text[] default '{}'::text[] not null,
  term_firsts bigint[] default '{}'::bigint[] not null,
  term_server text default ''::text not null,
  cursor_secret text default replace(((gen_random_uuid())::text || (gen_random_uuid())::text), '-'::text, ''::text) not null,
  personnel_seq bigint default 0 not null,
  groups_seq bigint default 0 not null,
  projects_seq bigint default 0 not null,
  risks_seq bigint default 0 not null,
  issues_seq bigint default 0 not null,
  tasks_seq bigint default 0 not null,
  keys_seq bigint default 0 not null,
  access_seq bigint default 0 not null,
  people integer default 0 not null,
  groups integer default 0 not null,
  projects integer default 0 not null,
  live_risks integer default 0 not null,
  open_issues integer default 0 not null,
  open_tasks integer default 0 not null,
  keys integer default 0 not null,
  people_max integer not null,
  groups_max integer not null,
  projects_max integer not null,
  live_risks_max integer not null,
  open_issues_max integer not null,
  open_tasks_max integer not null,
  keys_max integer not null,
  has_task_states boolean default false not null,
  has_search_documents boolean default false not null,
  constraint workspace_counters_pkey PRIMARY KEY (workspace_id),
  constraint workspace_counters_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint groups_quota CHECK (((groups >= 0) AND (groups <= groups_max))),
  constraint keys_quota CHECK (((keys >= 0) AND (keys <= keys_max))),
  constraint live_risks_quota CHECK (((live_risks >= 0) AND (live_risks <= live_risks_max))),
  constraint open_issues_quota CHECK (((open_issues >= 0) AND (open_issues <= open_issues_max))),
  constraint open_tasks_quota CHECK (((open_tasks >= 0) AND (open_tasks <= open_tasks_max))),
  constraint people_quota CHECK (((people >= 0) AND (people <= people_max))),
  constraint projects_quota CHECK (((projects >= 0) AND (projects <= projects_max)))
) with (fillfactor=50);
create policy authentication on workspace_counters to muster_auth using (true);
create policy workspace_isolation on workspace_counters to public using ((workspace_id = (current_setting('app.ws'::text))::uuid)) with check ((workspace_id = (current_setting('app.ws'::text))::uuid));
grant select, update on workspace_counters to muster_app;
grant select on workspace_counters to muster_auth;

create table workspaces (
  id uuid not null,
  name text not null,
  time_zone text not null,
  status text default 'active'::text not null,
  key_days_max integer,
  session_days integer default 7 not null,
  version bigint default 0 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  session_idle_hours integer default 72 not null,
  sign_in_methods text[] default '{passkey,provider,link,key}'::text[] not null,
  slug text,
  sweep_due_at timestamp(3) with time zone default '-infinity'::timestamp with time zone not null,
  sweep_turn uuid,
  constraint workspaces_pkey PRIMARY KEY (id),
  constraint workspaces_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint workspaces_slug_check CHECK ((((length(slug) >= 3) AND (length(slug) <= 40)) AND (slug ~ '^[a-z0-9](-?[a-z0-9])*$'::text))),
  constraint workspaces_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text])))
);
CREATE UNIQUE INDEX workspaces_by_slug ON workspaces USING btree (slug) WHERE (slug IS NOT NULL);
CREATE INDEX workspaces_by_sweep ON workspaces USING btree (sweep_due_at, id);
create policy administration on workspaces to muster_owner using (true);
create policy authentication on workspaces to muster_auth using (true);
create policy workspace_isolation on workspaces to public using ((id = (current_setting('app.ws'::text))::uuid)) with check ((id = (current_setting('app.ws'::text))::uuid));
grant select on workspaces to muster_app;
grant select on workspaces to muster_auth;
grant update (key_days_max, name, session_days, session_idle_hours, sign_in_methods, slug, sweep_due_at, sweep_turn, time_zone, updated_at, version) on workspaces to muster_app;

CREATE OR REPLACE FUNCTION audit_server()
 RETURNS text
 LANGUAGE sql
RETURN (((SELECT (pg_control_system.system_identifier)::text AS system_identifier FROM pg_control_system() pg_control_system(pg_control_version, catalog_version_no, system_identifier, pg_control_last_modified)) || '.'::text) || "left"(pg_walfile_name(pg_current_wal_lsn()), 8))
;
alter function audit_server owner to muster_owner;
grant execute on function audit_server to muster_app;

CREATE OR REPLACE FUNCTION authenticate_credentials(workspace_ids uuid[], hashes bytea[], are_sessions boolean[], are_detailed boolean[] DEFAULT '{}'::boolean[])
 RETURNS TABLE(place bigint, key_id uuid, lineage uuid, scopes text[], status text, allowed_cidrs text[], expires_at timestamp with time zone, rotated_at timestamp with time zone, is_use_due boolean, is_refusal_due boolean, is_suspended boolean, epoch text, server text, counters json, user_id uuid, person_status text, roles text[], session_id uuid, session_method text, authenticated_at timestamp with time zone, is_recent boolean, details json)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'muster', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_material TO 'off'
AS $function$
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
      coalesce(k.allowed_cidrs, '{}'),
      k.expires_at::timestamptz,
      k.rotated_at::timestamptz,
      coalesce(
        case when s.id is null then k.last_used_at else s.last_used_at end
          < now() - interval '1 minute',
        true
      ),
      k.refused_at is null or k.refused_at < now() - interval '1 hour',
      w.status = 'suspended',
      cluster.epoch,
      server_identity(),
      row_to_json(c),
      p.id,
      p.status,
      case when p.id is not null then array(
        select entry.role
        from access_entries entry
        where entry.workspace_id = asked.workspace_id
          and entry.is_granting
          and array_position(p.group_ids || p.id, entry.subject_id) is not null
      ) end,
      s.id,
      s.method,
      s.authenticated_at::timestamptz,
      s.authenticated_at > now() - interval '10 minutes',
      case when asked.is_detailed then json_build_object(
        'key', case when k.id is not null then to_jsonb(k) - 'hash' end,
        'workspace', json_build_object('name', w.name, 'time_zone', w.time_zone),
        'now', now()
      ) end
    from unnest(workspace_ids, hashes, are_sessions, are_detailed) with ordinality
      as asked (workspace_id, hash, is_session, is_detailed, place)
    left join sessions s
      on s.workspace_id = asked.workspace_id
      and s.hash = case when asked.is_session then asked.hash end
      and s.expires_at > now()
    left join lateral (
      select own.*
      from api_keys own
      where own.workspace_id = asked.workspace_id
        and own.hash = case when not asked.is_session then asked.hash end
      union all
      select own.*
      from api_keys own
      where s.key_id is not null
        and own.workspace_id = asked.workspace_id
        and own.id = s.key_id
    ) as k on true
    -- `offset 0` makes it one look-up by id, also in a plan made while the table was small.
    left join lateral (
      select person.id, person.status, person.group_ids
      from people person
      where person.workspace_id = asked.workspace_id
        and person.id = coalesce(s.user_id, k.user_id)
      offset 0
    ) as p on true
    join workspace_counters c on c.workspace_id = asked.workspace_id
    join workspaces w on w.id = asked.workspace_id
    cross join cluster
    where (k.id is not null or s.id is not null)
      and (
        s.id is null
        or coalesce(s.last_used_at, s.created_at)
          > now() - make_interval(hours => w.session_idle_hours)
      );
end
$function$
;
alter function authenticate_credentials owner to muster_auth;
grant execute on function authenticate_credentials to muster_app;

CREATE OR REPLACE FUNCTION authenticate_keys(workspace_ids uuid[], hashes bytea[], are_detailed boolean[], knows_projects boolean DEFAULT false)
 RETURNS TABLE(place bigint, principal text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'muster', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_material TO 'off'
AS $function$
begin
  return query
    select asked.place, json_build_object(
      'key_id', k.id,
      'lineage', k.lineage,
      'scopes', k.scopes,
      'project_ids', k.project_ids,
      'status', case
        when k.revoked_at is not null then 'revoked'
        when k.expires_at <= now() then 'expired'
        else 'active'
      end,
      'allowed_cidrs', k.allowed_cidrs,
      'expires_at', k.expires_at,
      'rotated_at', k.rotated_at,
      'is_use_due', coalesce(k.last_used_at < now() - interval '1 minute', true),
      'is_refusal_due', k.refused_at is null or k.refused_at < now() - interval '1 hour',
      'is_suspended', w.status = 'suspended',
      'epoch', cluster.epoch,
      'server', server_identity(),
      'counters', row_to_json(c),
      'user_id', p.id,
      'person_status', p.status,
      'roles', case when p.id is not null then array(
        select entry.role
        from access_entries entry
        where entry.workspace_id = asked.workspace_id
          and entry.is_granting
          and array_position(p.group_ids || p.id, entry.subject_id) is not null
      ) end,
      'details', case when asked.is_detailed then json_build_object(
        'key', case when k.id is not null then to_jsonb(k) - 'hash' end,
        'workspace', json_build_object('name', w.name, 'time_zone', w.time_zone),
        'now', now()
      ) end
    )::text
    from unnest(workspace_ids, hashes, are_detailed) with ordinality
      as asked (workspace_id, hash, is_detailed, place)
    join api_keys k on k.workspace_id = asked.workspace_id and k.hash = asked.hash
    -- `offset 0` makes it one look-up by id, also in a plan made while the table was small.
    left join lateral (
      select person.id, person.status, person.group_ids
      from people person
      where person.workspace_id = asked.workspace_id
        and person.id = k.user_id
      offset 0
    ) as p on true
    join workspace_counters c on c.workspace_id = asked.workspace_id
    join workspaces w on w.id = asked.workspace_id
    cross join cluster
    where knows_projects or k.project_ids is null;
end
$function$
;
alter function authenticate_keys owner to muster_auth;
grant execute on function authenticate_keys to muster_app;

CREATE OR REPLACE FUNCTION authenticate_sessions(workspace_ids uuid[], hashes bytea[], are_detailed boolean[], knows_projects boolean DEFAULT false)
 RETURNS TABLE(place bigint, principal text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'muster', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_material TO 'off'
AS $function$
begin
  return query
    select asked.place, json_build_object(
      'key_id', k.id,
      'lineage', k.lineage,
      'scopes', k.scopes,
      'project_ids', k.project_ids,
      'status', case
        when k.revoked_at is not null then 'revoked'
        when k.expires_at <= now() then 'expired'
        else 'active'
      end,
      'allowed_cidrs', k.allowed_cidrs,
      'expires_at', k.expires_at,
      'rotated_at', k.rotated_at,
      'is_use_due', coalesce(s.last_used_at < now() - interval '1 minute', true),
      'is_refusal_due', k.refused_at is null or k.refused_at < now() - interval '1 hour',
      'is_suspended', w.status = 'suspended',
      'epoch', cluster.epoch,
      'server', server_identity(),
      'counters', row_to_json(c),
      'user_id', p.id,
      'person_status', p.status,
      'roles', case when p.id is not null then array(
        select entry.role
        from access_entries entry
        where entry.workspace_id = asked.workspace_id
          and entry.is_granting
          and array_position(p.group_ids || p.id, entry.subject_id) is not null
      ) end,
      'session', json_build_object(
        'id', s.id,
        'method', s.method,
        'authenticated_at', s.authenticated_at,
        'is_recent', s.authenticated_at > now() - interval '10 minutes'
      ),
      'details', case when asked.is_detailed then json_build_object(
        'key', case when k.id is not null then to_jsonb(k) - 'hash' end,
        'workspace', json_build_object('name', w.name, 'time_zone', w.time_zone),
        'now', now()
      ) end
    )::text
    from unnest(workspace_ids, hashes, are_detailed) with ordinality
      as asked (workspace_id, hash, is_detailed, place)
    join sessions s
      on s.workspace_id = asked.workspace_id
      and s.hash = asked.hash
      and s.expires_at > now()
    left join api_keys k on k.workspace_id = asked.workspace_id and k.id = s.key_id
    -- `offset 0` makes it one look-up by id, also in a plan made while the table was small.
    left join lateral (
      select person.id, person.status, person.group_ids
      from people person
      where person.workspace_id = asked.workspace_id
        and person.id = coalesce(s.user_id, k.user_id)
      offset 0
    ) as p on true
    join workspace_counters c on c.workspace_id = asked.workspace_id
    join workspaces w on w.id = asked.workspace_id
    cross join cluster
    where coalesce(s.last_used_at, s.created_at)
      > now() - make_interval(hours => w.session_idle_hours)
      and (knows_projects or k.project_ids is null);
end
$function$
;
alter function authenticate_sessions owner to muster_auth;
grant execute on function authenticate_sessions to muster_app;

CREATE OR REPLACE FUNCTION changed_workspaces(ids uuid[], seqs bigint[])
 RETURNS TABLE(id uuid, seq bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'muster', 'pg_temp'
AS $function$
  select c.workspace_id, c.seq
  from unnest(ids, seqs) as known (id, seq)
  join workspace_counters c on c.workspace_id = known.id
  where c.seq <> known.seq
$function$
;
alter function changed_workspaces owner to muster_auth;
grant execute on function changed_workspaces to muster_app;

CREATE OR REPLACE FUNCTION due_workspaces(after uuid, at_most integer, moment timestamp with time zone)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'muster', 'pg_temp'
AS $function$
  with today as materialized (
    select jsonb_object_agg(
      time_zone, coalesce(local_date(moment, time_zone), (moment at time zone 'UTC')::date)
    ) as by_zone
    from (select distinct time_zone from workspaces) as zones
  )
  select w.id from workspaces w
  left join sweeps s on s.workspace_id = w.id and s.workspace_id > after
  where w.id > after
    and (
      s.swept_on is null
      or s.swept_on < ((select by_zone from today) ->> w.time_zone)::date
    )
  order by w.id
  limit at_most
$function$
;
alter function due_workspaces owner to muster_auth;
grant execute on function due_workspaces to muster_app;

CREATE OR REPLACE FUNCTION due_workspaces(moment timestamp with time zone, after_due_at timestamp with time zone, after uuid, at_most integer)
 RETURNS TABLE(id uuid, due_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'muster', 'pg_temp'
AS $function$
  select w.id, w.sweep_due_at from workspaces w
  where w.sweep_due_at <= moment and (w.sweep_due_at, w.id) > (after_due_at, after)
  order by w.sweep_due_at, w.id
  limit at_most
$function$
;
alter function due_workspaces owner to muster_auth;
grant execute on function due_workspaces to muster_app;

CREATE OR REPLACE FUNCTION find_documents(words tsquery, title_words tsquery, nouns text[], projects uuid[], candidates_max integer, at_most integer)
 RETURNS TABLE(noun text, id uuid, is_title boolean, candidates integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'muster', 'pg_temp'
 SET enable_bitmapscan TO 'on'
 SET enable_seqscan TO 'off'
AS $function$
  select found.noun, found.id, found.is_title, (count(*) over ())::integer
  from (
    select d.noun, d.id, d.is_live, d.document @@ title_words as is_title
    from search_documents d
    where d.document @@ words
      and (d.workspace_id = current_setting('app.ws')::uuid) is true
      and d.noun = any (nouns)
      and (projects is null or d.project_id is null or d.project_id = any (projects))
    limit candidates_max
  ) as found
  order by found.is_title desc, found.is_live desc, found.id desc
  limit at_most
$function$
;
alter function find_documents owner to muster_auth;
grant execute on function find_documents to muster_app;

CREATE OR REPLACE FUNCTION local_date(moment timestamp with time zone, zone text)
 RETURNS date
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'muster', 'pg_temp'
AS $function$
begin
  return (moment at time zone zone)::date;
exception
  when invalid_parameter_value then
    return null;
end
$function$
;
alter function local_date owner to muster_owner;
grant execute on function local_date to muster_app;
grant execute on function local_date to muster_auth;

CREATE OR REPLACE FUNCTION only_workspace()
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'muster', 'pg_temp'
AS $function$
  select case when count(*) = 1 then (array_agg(found.id))[1] end
  from (select id from workspaces limit 2) as found
$function$
;
alter function only_workspace owner to muster_auth;
grant execute on function only_workspace to muster_app;

CREATE OR REPLACE FUNCTION server_identity()
 RETURNS text
 LANGUAGE sql
RETURN (((("left"(pg_walfile_name(pg_current_wal_lsn()), 8) || '.'::text) || (EXTRACT(epoch FROM pg_postmaster_start_time()))::text) || '.'::text) || pg_relation_filepath('cluster'::regclass))
;
alter function server_identity owner to muster_owner;
grant execute on function server_identity to muster_app;
grant execute on function server_identity to muster_auth;

CREATE OR REPLACE FUNCTION start_of_day(day date, zone text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'muster', 'pg_temp'
AS $function$
begin
  return day::timestamp at time zone zone;
exception
  when invalid_parameter_value then
    return day::timestamp at time zone 'UTC';
end
$function$
;
alter function start_of_day owner to muster_owner;
grant execute on function start_of_day to muster_app;

CREATE OR REPLACE FUNCTION workspace_by_slug(wanted text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'muster', 'pg_temp'
AS $function$
  select id from workspaces where slug = wanted
$function$
;
alter function workspace_by_slug owner to muster_auth;
grant execute on function workspace_by_slug to muster_app;
grant execute on function workspace_by_slug to muster_owner;
