-- The sweep updates facts that change with time, such as "review overdue", once for each day of a
-- workspace in its own time zone. `swept_on` is the last day it ran for. A workspace without a
-- row is due at once.
create table sweeps (
  workspace_id uuid primary key references workspaces,
  swept_on date not null
);

alter table sweeps enable row level security;
alter table sweeps force row level security;
create policy workspace_isolation on sweeps
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
create policy authentication on sweeps for select to muster_auth using (true);
grant select, insert, update, delete on sweeps to muster_app;
grant select on sweeps to muster_auth;

-- The date at a moment in a time zone; null when the server does not know the zone. An update of
-- time zone data can remove a name (Debian 13 moved US/Eastern to another package), and
-- `at time zone` then raises an error for every workspace that the statement reads.
create function local_date(moment timestamptz, zone text)
returns date
language plpgsql stable
set search_path = muster, pg_temp
as $$
begin
  return (moment at time zone zone)::date;
exception
  when invalid_parameter_value then
    return null;
end
$$;

revoke all on function local_date (timestamptz, text) from public;
grant execute on function local_date (timestamptz, text) to muster_app, muster_auth;

-- The next workspaces that are due for a sweep. A workspace with an unknown time zone is due by
-- the date in UTC. The dates are computed once for each zone: an unknown zone costs 15
-- microseconds. The function runs as muster_auth and returns ids only; the sweeper enters a
-- workspace to read more.
create function due_workspaces(after uuid, at_most integer, moment timestamptz)
returns setof uuid
language sql stable security definer
set search_path = muster, pg_temp
as $$
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
$$;

revoke all on function due_workspaces (uuid, integer, timestamptz) from public;
grant execute on function due_workspaces (uuid, integer, timestamptz) to muster_app;
-- A function can be given only to a role that may create it.
grant create on schema muster to muster_auth;
alter function due_workspaces (uuid, integer, timestamptz) owner to muster_auth;
revoke create on schema muster from muster_auth;

-- Locks for jobs that one process runs at a time. A process that ends without releasing its lock
-- does not renew it, and another process takes over after `until`.
create table job_locks (
  name text primary key,
  holder uuid not null,
  until timestamptz not null
);

grant select, insert, update on job_locks to muster_app;
