-- The workspaces of a list whose last number is not the one beside it, and their last number. A
-- process asks this for all requests that wait for the next event. The number can be lower: a
-- failover may have lost some. The function runs as muster_auth; it returns numbers only.
create function changed_workspaces(ids uuid[], seqs bigint[])
returns table (id uuid, seq bigint)
language sql stable security definer
set search_path = muster, pg_temp
as $$
  select c.workspace_id, c.seq
  from unnest(ids, seqs) as known (id, seq)
  join workspace_counters c on c.workspace_id = known.id
  where c.seq <> known.seq
$$;

revoke all on function changed_workspaces (uuid[], bigint[]) from public;
grant execute on function changed_workspaces (uuid[], bigint[]) to muster_app;
-- A function can be given only to a role that may create it.
grant create on schema muster to muster_auth;
alter function changed_workspaces (uuid[], bigint[]) owner to muster_auth;
revoke create on schema muster from muster_auth;
