-- Whoever signs in to the console exchanges a key for a session, which a browser can keep as a
-- cookie that no script reads. It stands for its key until it ends, and has no rights of its own:
-- what the key may do, and whether it still may, is looked up in the key each time. As with keys,
-- only the SHA-256 is stored.
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
create policy entered on sessions
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
create policy looked_up on sessions for select to muster_auth using (true);
grant select, insert, delete on sessions to muster_app;
grant select on sessions to muster_auth;

-- The door opens for the hash of a key or of a session. No text is both, so no hash is: a knock
-- need not say which it is. A session that has expired is as one that never was.
drop function open_door (uuid[], bytea[]);
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
  issues_seq bigint,
  tasks_seq bigint
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
      c.issues_seq,
      c.tasks_seq
    from unnest(workspace_ids, hashes) with ordinality as asked (workspace_id, hash, place)
    cross join lateral (
      select own.id, own.lineage, own.scopes, own.revoked_at, own.expires_at, own.last_used_at
      from api_keys own
      where own.workspace_id = asked.workspace_id and own.hash = asked.hash
      union all
      select own.id, own.lineage, own.scopes, own.revoked_at, own.expires_at, own.last_used_at
      from sessions s
      join api_keys own on own.workspace_id = s.workspace_id and own.id = s.key_id
      where s.workspace_id = asked.workspace_id and s.hash = asked.hash and s.expires_at > now()
    ) as k
    join workspace_counters c on c.workspace_id = asked.workspace_id
    cross join cluster;
end
$$;

revoke all on function open_door (uuid[], bytea[]) from public;
grant execute on function open_door (uuid[], bytea[]) to muster_app;
grant create on schema muster to muster_auth;
alter function open_door (uuid[], bytea[]) owner to muster_auth;
revoke create on schema muster from muster_auth;
