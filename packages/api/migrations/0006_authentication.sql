-- A key is stored as its SHA-256: 190 random bits need no stretching. `lineage` is the first key
-- of a chain of rotations; a rotated key repeats the requests of the key it replaces by it. A
-- rotated key works until `expires_at`. `refused_at` is the time of the last `key.refused` event:
-- at most one an hour is written. `life` separates the keys that are not revoked, which a quota
-- bounds, from the others, whose number only grows.
create table api_keys (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  lineage uuid not null,
  hash bytea not null check (length(hash) = 32),
  hint text not null,
  name text not null,
  scopes text[] not null,
  allowed_cidrs text[] not null default '{}',
  created_by_type text not null,
  created_by_id uuid,
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
  constraint api_keys_hash unique (workspace_id, hash)
);

create index api_keys_in_order on api_keys (workspace_id, life, id);

alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy workspace_isolation on api_keys
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
create policy authentication on api_keys for select to muster_auth using (true);
grant select, insert, update on api_keys to muster_app;
grant select on api_keys to muster_auth;

-- A session stands for a key, as a cookie that scripts cannot read. It has no rights of its own:
-- the rights and the status of its key are read with every request. Only its SHA-256 is stored.
create table sessions (
  workspace_id uuid not null references workspaces,
  hash bytea not null check (length(hash) = 32),
  key_id uuid not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (workspace_id, hash),
  foreign key (workspace_id, key_id) references api_keys
);

create index sessions_by_key on sessions (workspace_id, key_id, created_at);
create index sessions_by_expiry on sessions (workspace_id, expires_at);

alter table sessions enable row level security;
alter table sessions force row level security;
create policy workspace_isolation on sessions
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
create policy authentication on sessions for select to muster_auth using (true);
grant select, insert, delete on sessions to muster_app;
grant select on sessions to muster_auth;

-- The authentication query, one for each batch of requests that arrive together: the key of each
-- hash, directly or through a session that has not expired, and the counters of its workspace. No
-- text is both a key and a session, so no hash is. The function runs as muster_auth, the only
-- role that reads keys without having entered their workspace. `epoch` includes the timeline of
-- the server: after a failover that lost writes, sequence numbers come back with other content.
-- `counters` is the whole row, so that a new collection needs no new function.
create function authenticate_credentials(workspace_ids uuid[], hashes bytea[])
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
  counters json
)
language plpgsql stable security definer
set search_path = muster, pg_temp
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
      k.allowed_cidrs,
      k.expires_at::timestamptz,
      k.rotated_at::timestamptz,
      k.last_used_at is null or k.last_used_at < now() - interval '1 minute',
      k.refused_at is null or k.refused_at < now() - interval '1 hour',
      w.status = 'suspended',
      cluster.epoch || left(pg_walfile_name(pg_current_wal_lsn()), 8),
      row_to_json(c)
    from unnest(workspace_ids, hashes) with ordinality as asked (workspace_id, hash, place)
    cross join lateral (
      select own.*
      from api_keys own
      where own.workspace_id = asked.workspace_id and own.hash = asked.hash
      union all
      select own.*
      from sessions s
      join api_keys own on own.workspace_id = s.workspace_id and own.id = s.key_id
      where s.workspace_id = asked.workspace_id and s.hash = asked.hash and s.expires_at > now()
    ) as k
    join workspace_counters c on c.workspace_id = asked.workspace_id
    join workspaces w on w.id = asked.workspace_id
    cross join cluster;
end
$$;

revoke all on function authenticate_credentials (uuid[], bytea[]) from public;
grant execute on function authenticate_credentials (uuid[], bytea[]) to muster_app;
-- A function can be given only to a role that may create it.
grant create on schema muster to muster_auth;
alter function authenticate_credentials (uuid[], bytea[]) owner to muster_auth;
revoke create on schema muster from muster_auth;
