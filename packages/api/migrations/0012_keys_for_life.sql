-- There are few keys: the table is rewritten, and its index made, in an instant.
-- squawk-ignore-file adding-field-with-default, require-concurrent-index-creation

-- Keys are now made, changed, rotated and revoked over the API, so the service itself writes them.
-- `created_by` is who made the key: another key, or whoever holds the credential of the database.
-- A key that was rotated lives on until `expires_at`, and says since when it is no longer the one
-- to use. `refused_at` is when its last refusal was told: at most one an hour is.
alter table api_keys
  add column updated_at timestamptz(3) not null default now(),
  add column allowed_cidrs text[] not null default '{}',
  add column created_by_type text not null default 'admin',
  add column created_by_id uuid,
  add column replaces uuid,
  add column replaced_by uuid,
  add column rotated_at timestamptz(3),
  add column is_expiry_told boolean not null default false,
  add column last_used_from text,
  add column refused_at timestamptz(3);

grant insert, update on api_keys to muster_app;

-- Those that are not revoked are what people look at, and are bounded by a quota; the others only
-- grow.
alter table api_keys
  add column life text not null generated always as (
    case when revoked_at is null then 'live' else 'past' end
  ) stored;
create index api_keys_in_order on api_keys (workspace_id, life, id);

alter table workspace_counters
  add column keys_seq bigint not null default 0;

-- A suspended workspace is kept as it is, and lets nobody in.
alter table workspaces
  add column status text not null default 'active' check (status in ('active', 'suspended')),
  add column key_days_max integer,
  add column session_days integer not null default 7,
  add column version bigint not null default 0,
  add column updated_at timestamptz(3) not null default now();

grant update (name, time_zone, key_days_max, session_days, version, updated_at)
on workspaces to muster_app;

-- The door also learns from where a key may be used, whether it was rotated, and whether its
-- workspace lets anyone in.
drop function open_door (uuid[], bytea[]);
create function open_door(workspace_ids uuid[], hashes bytea[])
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
  life text,
  personnel_seq bigint,
  groups_seq bigint,
  projects_seq bigint,
  risks_seq bigint,
  issues_seq bigint,
  tasks_seq bigint,
  keys_seq bigint
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
      c.personnel_seq,
      c.groups_seq,
      c.projects_seq,
      c.risks_seq,
      c.issues_seq,
      c.tasks_seq,
      c.keys_seq
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

revoke all on function open_door (uuid[], bytea[]) from public;
grant execute on function open_door (uuid[], bytea[]) to muster_app;
grant create on schema muster to muster_auth;
alter function open_door (uuid[], bytea[]) owner to muster_auth;
revoke create on schema muster from muster_auth;
