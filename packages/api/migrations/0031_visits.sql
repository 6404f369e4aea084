-- When a person last used the service in a session. Sessions end and are deleted, and this stays,
-- so that the next session knows of the visit before it.
create table visits (
  workspace_id uuid not null,
  user_id uuid not null,
  last_at timestamptz(3) not null,
  primary key (workspace_id, user_id)
);

alter table visits enable row level security;
alter table visits force row level security;
create policy workspace_isolation on visits
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update, delete on visits to muster_app;

-- The visit before a session; null for the first one and for the session of a key.
alter table sessions add column previous_visit_at timestamptz(3);
