-- The acceptances from before the file before. In a file of its own: that one locks out readers.
--
-- The history has every state of every risk and of every project, so the rating and the appetite
-- at the time of an acceptance are known: those of the state that began with it. If the state of
-- the project is missing, they stay null. The states of the risk get them as well, so that the
-- next change of the risk does not show them as a change.

-- The UUID in an id such as `usr_…`, as states have them: 26 digits of five bits.
create function uuid_of_id(id text) returns uuid
language sql immutable
return (
  select string_agg(to_hex(substr(bits, place, 4)::bit(4)::integer), '' order by place)::uuid
  from (
    select right(string_agg(
      (strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, digit, 1)) - 1)::bit(5)::text, ''
      order by digit
    ), 128) as bits
    from generate_series(length(id) - 25, length(id)) as digit
  ) as digits, generate_series(1, 125, 4) as place
);

do $$
declare
  workspace uuid;
  every_workspace uuid[];
begin
  -- Row level security shows one workspace at a time; this role sees the ids of all.
  set local role muster_auth;
  every_workspace := array(select id from muster.workspaces);
  set local role muster_owner;
  foreach workspace in array every_workspace loop
    perform set_config('app.ws', workspace::text, true);

    insert into acceptances (
      workspace_id, risk_id, accepted_at, project_id, ref, title, accepted_by_user_id, expires_on,
      rationale, appetite, likelihood, impact, status, ended_at, end_reason
    )
    select workspace, r.id, begun.accepted_at, r.project_id, r.ref, begun.data ->> 'title',
      uuid_of_id(acceptance ->> 'accepted_by_user_id'), (acceptance ->> 'expires_on')::date,
      acceptance ->> 'rationale', (applied.data ->> 'risk_appetite')::smallint,
      case when applied.data is not null then (begun.data ->> 'likelihood')::smallint end,
      case when applied.data is not null then (begun.data ->> 'impact')::smallint end,
      case
        when ended.data is not null or not r.is_live then 'ended'
        when 'acceptance_expired' = any(r.flags) then 'expired'
        else 'active'
      end,
      case
        when ended.data is not null then (ended.data ->> 'updated_at')::timestamptz
        when not r.is_live then r.closed_key
      end,
      case
        when ended.data -> 'acceptance' ->> 'accepted_at' is not null then 'superseded'
        when ended.data is not null then 'withdrawn'
        when not r.is_live then r.status
      end
    from (
      select id, from_seq, data, data -> 'acceptance' as acceptance,
        (data -> 'acceptance' ->> 'accepted_at')::timestamptz(3) as accepted_at,
        lag(data -> 'acceptance' ->> 'accepted_at') over (partition by id order by from_seq)
          as previous
      from history
      where workspace_id = workspace and noun = 'risk'
    ) as begun
    join risks r on r.workspace_id = workspace and r.id = begun.id
    left join lateral (
      select data from history
      where workspace_id = workspace and id = uuid_of_id(begun.data ->> 'project_id')
        and from_seq <= begun.from_seq and data ? 'risk_appetite'
      order by from_seq desc limit 1
    ) as applied on true
    left join lateral (
      select data from history
      where workspace_id = workspace and id = begun.id and from_seq > begun.from_seq
        and data -> 'acceptance' ->> 'accepted_at'
          is distinct from begun.acceptance ->> 'accepted_at'
      order by from_seq limit 1
    ) as ended on true
    where begun.accepted_at is not null
      and begun.acceptance ->> 'accepted_at' is distinct from begun.previous
    on conflict do nothing;

    update risks r
    set acceptance_appetite = a.appetite, acceptance_likelihood = a.likelihood,
      acceptance_impact = a.impact, acceptance_rated_at = a.accepted_at
    from acceptances a
    where r.workspace_id = workspace and a.workspace_id = workspace and a.risk_id = r.id
      and a.accepted_at = r.accepted_at and a.likelihood is not null;

    update history h
    set data = jsonb_set(h.data, '{acceptance}', h.data -> 'acceptance' || jsonb_build_object(
      'risk_appetite', a.appetite, 'likelihood', a.likelihood, 'impact', a.impact,
      'score', a.likelihood * a.impact
    ))
    from acceptances a
    where h.workspace_id = workspace and a.workspace_id = workspace and h.id = a.risk_id
      and (h.data -> 'acceptance' ->> 'accepted_at')::timestamptz = a.accepted_at
      and a.likelihood is not null;
  end loop;
end
$$;

drop function uuid_of_id (text);
