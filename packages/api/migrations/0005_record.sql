-- The event log. `seq` is the sequence number of the write; `position` orders the events of one
-- write. Events about people carry ids and the names of changed fields, never values.
create table events (
  workspace_id uuid not null,
  seq bigint not null,
  position smallint not null,
  id uuid not null,
  type text not null,
  subject_id uuid not null,
  project_id uuid,
  -- A personal key has the id of the key and of its person.
  actor_type text not null check (actor_type in ('key', 'person', 'admin', 'system')),
  actor_id uuid,
  actor_user_id uuid,
  request_id uuid,
  changed text[] not null default '{}',
  data json not null default '{}',
  occurred_at timestamptz(3) not null,
  primary key (workspace_id, seq, position)
);

alter table events enable row level security;
alter table events force row level security;
create policy workspace_isolation on events
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert on events to muster_app;

-- Every state of every item: `data` was valid from `from_seq` until the next state of the item. The
-- last one is the present state. The events of `from_seq` hold author and time. Rows are added and
-- not updated, except by erasure: a column for the end would copy each state once more.
-- `data` is without metadata, which can be large and seldom changes. `metadata_seq` is the
-- `from_seq` of the state of this item that stores the metadata: its own if they changed.
create table history (
  workspace_id uuid not null,
  noun text not null,
  id uuid not null,
  from_seq bigint not null,
  metadata_seq bigint not null check (metadata_seq <= from_seq),
  metadata jsonb,
  data jsonb not null,
  primary key (workspace_id, id, from_seq),
  constraint history_metadata check ((metadata is not null) = (metadata_seq = from_seq))
);

alter table history enable row level security;
alter table history force row level security;
create policy workspace_isolation on history
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on history to muster_app;

-- Idempotency: the responses that repeated requests get again, written in the transaction of the
-- change. `digest` is of key lineage, method, path and Idempotency-Key; `fingerprint` is of the
-- body. `result` is json, not jsonb: a repeated response has the same bytes. `is_personal` marks
-- results of writes to people, which erasing a person must rewrite.
create table idempotency_records (
  workspace_id uuid not null,
  digest bytea not null,
  fingerprint bytea not null,
  seq bigint not null,
  result json not null,
  is_personal boolean not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, digest)
);

create index idempotency_records_by_age on idempotency_records (workspace_id, created_at);
create index idempotency_records_personal on idempotency_records (workspace_id)
where is_personal;

alter table idempotency_records enable row level security;
alter table idempotency_records force row level security;
create policy workspace_isolation on idempotency_records
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update, delete on idempotency_records to muster_app;
