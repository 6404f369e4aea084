-- A fact that turns true with time is made a write by the sweeper, once for each day of a
-- workspace's own time zone. `swept_on` is the last day it was done for; a workspace without a row
-- here is to be swept at once.
create table sweeps (
  workspace_id uuid primary key references workspaces,
  swept_on date not null
);

alter table sweeps enable row level security;
alter table sweeps force row level security;
create policy entered on sweeps
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
create policy looked_up on sweeps for select to muster_auth using (true);
grant select, insert, update, delete on sweeps to muster_app;
grant select on sweeps to muster_auth;

create policy looked_up on workspaces for select to muster_auth using (true);
grant select on workspaces to muster_auth;

-- The next workspaces whose day has begun and which have not been swept for it. Runs as
-- muster_auth: the sweeper may know that a workspace is there, and must enter it to see more.
create function due_workspaces(after uuid, at_most integer, moment timestamptz)
returns setof uuid
language sql stable security definer
set search_path = muster, pg_temp
as $$
  select w.id from workspaces w left join sweeps s on s.workspace_id = w.id
  where w.id > after
    and (s.swept_on is null or s.swept_on < (moment at time zone w.time_zone)::date)
  order by w.id
  limit at_most
$$;

revoke all on function due_workspaces (uuid, integer, timestamptz) from public;
grant execute on function due_workspaces (uuid, integer, timestamptz) to muster_app;
grant create on schema muster to muster_auth;
alter function due_workspaces (uuid, integer, timestamptz) owner to muster_auth;
revoke create on schema muster from muster_auth;

-- Who does a job that only one process may do at a time. A holder that is gone does not renew, and
-- another takes over when `until` has passed.
create table leases (
  name text primary key,
  holder uuid not null,
  until timestamptz not null
);

grant select, insert, update on leases to muster_app;
