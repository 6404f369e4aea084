-- The date at a moment in a time zone; null when the server does not know the zone. An update of
-- its time zone data can remove a name (Debian 13 moved US/Eastern to another package), and
-- `at time zone` raises then. It would raise for every workspace that the same statement reads.
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

-- As before, and a workspace with an unknown time zone is due by the date in UTC. The dates are
-- computed once for each zone: an unknown zone costs 15 microseconds, too much for every workspace.
drop function due_workspaces (uuid, integer, timestamptz);
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
grant create on schema muster to muster_auth;
alter function due_workspaces (uuid, integer, timestamptz) owner to muster_auth;
revoke create on schema muster from muster_auth;

-- The service is ready only when every migration of its release has been applied. This table says
-- which have been.
grant select on kysely_migration to muster_app;
