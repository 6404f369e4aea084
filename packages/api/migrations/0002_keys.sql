-- The key itself is never stored, only its SHA-256: 190 random bits need no stretching.
-- `lineage` is the first key of a chain of rotations; what a key did under an Idempotency-Key is
-- still known to the key that replaced it.
create table api_keys (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  lineage uuid not null,
  hash bytea not null check (length(hash) = 32),
  hint text not null,
  name text not null,
  scopes text[] not null,
  version bigint not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  primary key (workspace_id, id),
  constraint api_keys_hash unique (workspace_id, hash)
);

alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy entered on api_keys
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
create policy looked_up on api_keys for select to muster_auth using (true);
grant select, update (last_used_at) on api_keys to muster_app;
grant select on api_keys to muster_auth;

-- The one question that opens every request: whose key is this, what may it do, and how far has
-- each collection come? It takes many keys at once, because requests that arrive together are asked
-- about together. It runs as muster_auth, the only role that may read keys without having entered
-- their workspace. `life` is the epoch with the timeline of the server: after a failover that lost
-- writes, numbers come back with other content.
create function open_door(workspace_ids uuid[], hashes bytea[])
returns table (
  place bigint,
  key_id uuid,
  lineage uuid,
  scopes text[],
  status text,
  is_use_due boolean,
  life text,
  personnel_seq bigint,
  groups_seq bigint,
  projects_seq bigint,
  risks_seq bigint,
  issues_seq bigint
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
      k.last_used_at is null or k.last_used_at < now() - interval '1 minute',
      cluster.epoch || left(pg_walfile_name(pg_current_wal_lsn()), 8),
      c.personnel_seq,
      c.groups_seq,
      c.projects_seq,
      c.risks_seq,
      c.issues_seq
    from unnest(workspace_ids, hashes) with ordinality as asked (workspace_id, hash, place)
    join api_keys k on k.workspace_id = asked.workspace_id and k.hash = asked.hash
    join workspace_counters c on c.workspace_id = k.workspace_id
    cross join cluster;
end
$$;

revoke all on function open_door (uuid[], bytea[]) from public;
grant execute on function open_door (uuid[], bytea[]) to muster_app;
grant create on schema muster to muster_auth;
alter function open_door (uuid[], bytea[]) owner to muster_auth;
revoke create on schema muster from muster_auth;
