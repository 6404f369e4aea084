-- A key is stored as its SHA-256: 190 random bits need no stretching. `lineage` is the first key
-- of a chain of rotations; a rotated key repeats the requests of the key it replaces by it. A
-- rotated key works until `expires_at`. `refused_at` is the time of the last `key.refused` event:
-- at most one an hour is written. `life` separates the keys that are not revoked, which a quota
-- bounds, from the others, whose number only grows. `user_id` is the person of a personal key,
-- which has its scopes that the roles of the person also have.
create table api_keys (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  lineage uuid not null,
  hash bytea not null check (length(hash) = 32),
  hint text not null,
  name text not null,
  scopes text[] not null,
  allowed_cidrs text[] not null default '{}',
  user_id uuid,
  responsible_user_id uuid,
  created_by_type text not null,
  created_by_id uuid,
  created_by_user_id uuid,
  expires_at timestamptz(3),
  is_expiry_notified boolean not null default false,
  revoked_at timestamptz(3),
  replaces uuid,
  replaced_by uuid,
  rotated_at timestamptz(3),
  last_used_at timestamptz(3),
  last_used_from text,
  refused_at timestamptz(3),
  life text not null generated always as (
    case when revoked_at is null then 'live' else 'past' end
  ) stored,
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references people,
  foreign key (workspace_id, responsible_user_id) references people
);

create index api_keys_in_order on api_keys (workspace_id, life, id);
create index api_keys_by_user on api_keys (workspace_id, user_id, life, id)
where user_id is not null;
create index api_keys_by_responsible on api_keys (workspace_id, responsible_user_id)
where responsible_user_id is not null;
-- The newest index, so that authentication uses it also while the table is small.
create unique index api_keys_hash on api_keys (workspace_id, hash);

alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy workspace_isolation on api_keys
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
create policy authentication on api_keys for select to muster_auth using (true);
grant select, insert, update on api_keys to muster_app;
grant select on api_keys to muster_auth;

-- A session stands for a key or a person, as a cookie that scripts cannot read. It has no rights of
-- its own: those of its key or person are read with every request. Only its SHA-256 is stored.
-- `authenticated_at` is when its holder last proved who they are: operations that give access ask
-- for a recent proof.
create table sessions (
  workspace_id uuid not null references workspaces,
  hash bytea not null check (length(hash) = 32),
  id uuid not null,
  key_id uuid,
  user_id uuid,
  method text not null check (method in ('key', 'link', 'passkey', 'oidc')),
  network text,
  user_agent text,
  authenticated_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (workspace_id, hash),
  foreign key (workspace_id, key_id) references api_keys,
  foreign key (workspace_id, user_id) references people,
  constraint sessions_id unique (workspace_id, id),
  constraint sessions_holder check ((key_id is null) <> (user_id is null))
);

create index sessions_by_user on sessions (workspace_id, user_id, created_at)
where user_id is not null;
create index sessions_by_key on sessions (workspace_id, key_id, created_at);
create index sessions_by_expiry on sessions (workspace_id, expires_at);

alter table sessions enable row level security;
alter table sessions force row level security;
create policy workspace_isolation on sessions
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
create policy authentication on sessions for select to muster_auth using (true);
grant select, insert, delete on sessions to muster_app;
grant update (last_used_at) on sessions to muster_app;
grant select on sessions to muster_auth;

-- Roles of people and groups. A person has the rights of all their roles; the contract lists them.
-- `subject_id` is the person or the group. `is_granting` is false while the group is archived:
-- authentication then needs no join with the groups.
create table access_entries (
  workspace_id uuid not null references workspaces,
  subject_id uuid not null,
  user_id uuid,
  group_id uuid,
  role text not null check (role in ('reader', 'contributor', 'manager', 'admin')),
  is_granting boolean not null,
  version bigint not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, subject_id),
  foreign key (workspace_id, user_id) references people,
  foreign key (workspace_id, group_id) references groups,
  check (subject_id = coalesce(user_id, group_id) and (user_id is null) <> (group_id is null))
);

create index access_entries_user on access_entries (workspace_id, user_id)
where user_id is not null;
create index access_entries_group on access_entries (workspace_id, group_id)
where group_id is not null;

alter table access_entries enable row level security;
alter table access_entries force row level security;
create policy workspace_isolation on access_entries
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
create policy authentication on access_entries for select to muster_auth using (true);
grant select, insert, update, delete on access_entries to muster_app;
grant select on access_entries to muster_auth;

-- The authentication query, one for each batch of requests that arrive together: the key or the
-- person of each hash, directly or through a session that has not expired, the roles of the person,
-- and the counters of the workspace. A comparison with null reads no index, so that a key costs no
-- search among the sessions. The function runs as muster_auth, the only role that reads keys
-- without having entered their workspace. `server` is the running server: a write is refused on
-- another one, where numbers that this one gave may be lost. `counters` is the whole row, so that a
-- new collection needs no new function. `details` is for a request that asks who its caller is; the
-- hash of the key stays here. This role cannot read the names of people.
create function authenticate_credentials(
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
        case when k.id is null then s.last_used_at else k.last_used_at end
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
    where k.id is not null or s.id is not null;
end
$$;

revoke all on function authenticate_credentials (uuid[], bytea[], boolean[], boolean[])
from public;
grant execute on function authenticate_credentials (uuid[], bytea[], boolean[], boolean[])
to muster_app;
-- A function can be given only to a role that may create it.
grant create on schema muster to muster_auth;
alter function authenticate_credentials (uuid[], bytea[], boolean[], boolean[])
owner to muster_auth;
revoke create on schema muster from muster_auth;
