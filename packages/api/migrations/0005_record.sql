-- What happened, in the order it happened. `seq` is the number of the write, `position` orders the
-- events of one write. Events about people carry ids and the names of changed fields, never values.
create table events (
  workspace_id uuid not null references workspaces,
  seq bigint not null,
  position smallint not null,
  id uuid not null,
  type text not null,
  subject_id uuid not null,
  project_id uuid,
  actor_type text not null check (actor_type in ('key', 'admin', 'system')),
  actor_id uuid,
  request_id uuid,
  changed text[] not null default '{}',
  data json not null default '{}',
  occurred_at timestamptz(3) not null,
  primary key (workspace_id, seq, position)
);

alter table events enable row level security;
alter table events force row level security;
create policy entered on events
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert on events to muster_app;

-- Every state a thing was ever in: `data` held from `from_seq` until before `to_seq`, and the row
-- whose `to_seq` is null is the present. By whom and when is told by the events of `from_seq`.
create table history (
  workspace_id uuid not null references workspaces,
  noun text not null,
  id uuid not null,
  from_seq bigint not null,
  to_seq bigint check (to_seq > from_seq),
  data jsonb not null,
  primary key (workspace_id, id, from_seq)
);

create unique index history_present on history (workspace_id, id) where to_seq is null;

alter table history enable row level security;
alter table history force row level security;
create policy entered on history
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on history to muster_app;

-- The answers that repeated requests get again, written in the transaction of the change itself.
-- `digest` is of key lineage, method, path and Idempotency-Key; `fingerprint` is of the body.
-- `result` is json, not jsonb: a repeated answer is the same to the byte.
create table idempotency_records (
  workspace_id uuid not null references workspaces,
  digest bytea not null,
  fingerprint bytea not null,
  seq bigint not null,
  result json not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, digest)
);

create index idempotency_records_by_age on idempotency_records (workspace_id, created_at);

alter table idempotency_records enable row level security;
alter table idempotency_records force row level security;
create policy entered on idempotency_records
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update, delete on idempotency_records to muster_app;
