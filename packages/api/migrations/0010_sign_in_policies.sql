-- Policies of sign-in, and what an administrator sees of the account of a person.

-- A session that was not used for `session_idle_hours` has ended. `sign_in_methods` are the ways in
-- which people may sign in to the console; requests with an API key are not affected. The defaults
-- are constants, so that no row is written.
alter table workspaces add column session_idle_hours integer not null default 72;
alter table workspaces
add column sign_in_methods text[] not null default '{passkey,provider,link,key}';
grant update (session_idle_hours, sign_in_methods) on workspaces to muster_app;

-- When the account last signed in. A sign-in updates the row, so that it waits for a removal of the
-- account, and is refused after it.
alter table identities add column last_used_at timestamptz(3);
grant update (last_used_at) on identities to muster_app;

-- As before, with two differences. A session that was idle for too long is not found: the row of
-- the workspace is read anyway. The use of a session of a key is due by the session, because the
-- use of its key says nothing about the browser. Only its owner can replace a function.
grant create on schema muster to muster_auth;
set local role muster_auth;
create or replace function authenticate_credentials(
  workspace_ids uuid[],
  hashes bytea[],
  are_sessions boolean[],
  are_detailed boolean[] default '{}'
)
returns table (
  place bigint,
  key_id uuid,
  lineage uuid,
  scopes text[],
  status text,
  allowed_cidrs text[],
  expires_at timestamptz,
  rotated_at timestamptz,
  is_use_due boolean,
  is_refusal_due boolean,
  is_suspended boolean,
  epoch text,
  server text,
  counters json,
  user_id uuid,
  person_status text,
  roles text[],
  session_id uuid,
  session_method text,
  authenticated_at timestamptz,
  is_recent boolean,
  details json
)
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
    select
      asked.place,
      k.id,
      k.lineage,
      k.scopes,
      case
        when k.revoked_at is not null then 'revoked'
        when k.expires_at <= now() then 'expired'
        else 'active'
      end,
      coalesce(k.allowed_cidrs, '{}'),
      k.expires_at::timestamptz,
      k.rotated_at::timestamptz,
      coalesce(
        case when s.id is null then k.last_used_at else s.last_used_at end
          < now() - interval '1 minute',
        true
      ),
      k.refused_at is null or k.refused_at < now() - interval '1 hour',
      w.status = 'suspended',
      cluster.epoch,
      server_identity(),
      row_to_json(c),
      p.id,
      p.status,
      case when p.id is not null then array(
        select entry.role
        from access_entries entry
        where entry.workspace_id = asked.workspace_id
          and entry.is_granting
          and array_position(p.group_ids || p.id, entry.subject_id) is not null
      ) end,
      s.id,
      s.method,
      s.authenticated_at::timestamptz,
      s.authenticated_at > now() - interval '10 minutes',
      case when asked.is_detailed then json_build_object(
        'key', case when k.id is not null then to_jsonb(k) - 'hash' end,
        'workspace', json_build_object('name', w.name, 'time_zone', w.time_zone),
        'now', now()
      ) end
    from unnest(workspace_ids, hashes, are_sessions, are_detailed) with ordinality
      as asked (workspace_id, hash, is_session, is_detailed, place)
    left join sessions s
      on s.workspace_id = asked.workspace_id
      and s.hash = case when asked.is_session then asked.hash end
      and s.expires_at > now()
    left join lateral (
      select own.*
      from api_keys own
      where own.workspace_id = asked.workspace_id
        and own.hash = case when not asked.is_session then asked.hash end
      union all
      select own.*
      from api_keys own
      where s.key_id is not null
        and own.workspace_id = asked.workspace_id
        and own.id = s.key_id
    ) as k on true
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
    where (k.id is not null or s.id is not null)
      and (
        s.id is null
        or coalesce(s.last_used_at, s.created_at)
          > now() - make_interval(hours => w.session_idle_hours)
      );
end
$$;

set local role muster_owner;
revoke create on schema muster from muster_auth;
