-- A key can be bound to projects: nothing of any other project exists for it. Null: all projects.
-- Adding the columns rewrites no row.
alter table api_keys
add column project_ids uuid[] check (cardinality(project_ids) between 1 and 50);

-- The projects that the result of a write is about. A replay is for those who may see all of them.
-- Null: no project, or written before this migration, when every key saw all projects.
alter table idempotency_records add column project_ids uuid[];

-- The project that the item was in, in this state. Null for items outside projects, and in states
-- that were written before this migration.
alter table history add column project_id uuid;

-- Authentication returns the projects of a key. The previous release does not know them and would
-- show the key everything, so for it a key with projects does not exist: it calls these functions
-- without the last argument. A function cannot get an argument, so they are dropped and made again.
drop function authenticate_keys (uuid[], bytea[], boolean[]);
drop function authenticate_sessions (uuid[], bytea[], boolean[]);
grant create on schema muster to muster_auth;
set local role muster_auth;

-- The key of each hash, the roles of its person, and the counters of its workspace.
create function authenticate_keys(
  workspace_ids uuid[],
  hashes bytea[],
  are_detailed boolean[],
  knows_projects boolean default false
)
returns table (place bigint, principal text)
language plpgsql stable security definer
set search_path = muster, pg_temp
-- A custom plan is never better here, and planning takes longer than reading.
set plan_cache_mode = force_generic_plan
-- Each credential is looked up by keys, also in a plan made while the tables were small. Other
-- joins read all rows of a workspace, or of all workspaces.
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
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
$$;

-- The session of each hash that has neither expired nor been idle for too long, with its person or
-- its key.
create function authenticate_sessions(
  workspace_ids uuid[],
  hashes bytea[],
  are_detailed boolean[],
  knows_projects boolean default false
)
returns table (place bigint, principal text)
language plpgsql stable security definer
set search_path = muster, pg_temp
-- A custom plan is never better here, and planning takes longer than reading.
set plan_cache_mode = force_generic_plan
-- Each credential is looked up by keys, also in a plan made while the tables were small. Other
-- joins read all rows of a workspace, or of all workspaces.
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
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
$$;

revoke all on function authenticate_keys (uuid[], bytea[], boolean[], boolean) from public;
revoke all on function authenticate_sessions (uuid[], bytea[], boolean[], boolean) from public;
grant execute on function authenticate_keys (uuid[], bytea[], boolean[], boolean) to muster_app;
grant execute on function authenticate_sessions (uuid[], bytea[], boolean[], boolean) to muster_app;

set local role muster_owner;
revoke create on schema muster from muster_auth;
