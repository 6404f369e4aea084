create function earlier_authentication(workspace_ids uuid[], hashes bytea[])
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

grant execute on function earlier_authentication (uuid[], bytea[]) to muster_app;
grant create on schema muster to muster_auth;
alter function earlier_authentication (uuid[], bytea[]) owner to muster_auth;
revoke create on schema muster from muster_auth;
