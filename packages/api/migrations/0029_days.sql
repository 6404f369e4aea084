-- The closed days of a workspace: when each ended in its time zone, and the last sequence number
-- up to then. So a date keeps its meaning when the time zone changes. The sweep writes them.
create table days (
  workspace_id uuid not null,
  day date not null,
  ends_at timestamptz(3) not null,
  last_seq bigint not null,
  primary key (workspace_id, day)
);

alter table days enable row level security;
alter table days force row level security;
create policy workspace_isolation on days
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert on days to muster_app;
