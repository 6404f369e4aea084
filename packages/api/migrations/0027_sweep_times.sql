-- When the next sweep of a workspace is due: at the end of its day. A change that flags depend on,
-- such as another risk appetite, makes it due at once, and a removal never. So the workspaces that
-- are due are the first entries of an index. The column is in this table, because a workspace that
-- a process of the previous release creates is then due as well. Adding it rewrites no row.
alter table workspaces add column sweep_due_at timestamp(3) with time zone not null
default '-infinity';

-- Names the sweep that runs. Only this sweep may say when the next one is due. A change that makes
-- a sweep due clears it, and so does the sweep of another process.
alter table workspaces add column sweep_turn uuid;

grant update (sweep_due_at, sweep_turn) on workspaces to muster_app;

-- squawk-ignore require-concurrent-index-creation
create index workspaces_by_sweep on workspaces (sweep_due_at, id);

-- The start of a day in a time zone; in UTC when the server does not know the zone.
create function start_of_day(day date, zone text)
returns timestamptz
language plpgsql stable
set search_path = muster, pg_temp
as $$
begin
  return day::timestamp at time zone zone;
exception
  when invalid_parameter_value then
    return day::timestamp at time zone 'UTC';
end
$$;

revoke all on function start_of_day (date, text) from public;
grant execute on function start_of_day (date, text) to muster_app;

-- The next workspaces that are due, the longest waiting first, after an entry. The function runs as
-- muster_auth and returns ids only; the sweep enters a workspace to read more.
create function due_workspaces(
  moment timestamptz, after_due_at timestamptz, after uuid, at_most integer
)
returns table (id uuid, due_at timestamptz)
language sql stable security definer
set search_path = muster, pg_temp
as $$
  select w.id, w.sweep_due_at from workspaces w
  where w.sweep_due_at <= moment and (w.sweep_due_at, w.id) > (after_due_at, after)
  order by w.sweep_due_at, w.id
  limit at_most
$$;

revoke all on function due_workspaces (timestamptz, timestamptz, uuid, integer) from public;
grant execute on function due_workspaces (timestamptz, timestamptz, uuid, integer) to muster_app;
-- A function can be given only to a role that may create it.
grant create on schema muster to muster_auth;
alter function due_workspaces (timestamptz, timestamptz, uuid, integer) owner to muster_auth;
revoke create on schema muster from muster_auth;
