const inScope = 'where ($1::uuid is null or workspace_id = $1)'

/** Each acceptance that a state of a risk began with, with what ended it. */
const begun = `
  select workspace_id, id as risk_id, data -> 'acceptance' as was,
    (data -> 'acceptance' ->> 'accepted_at')::timestamptz(3) as accepted_at
  from (
    select *, lag(data -> 'acceptance' ->> 'accepted_at')
      over (partition by workspace_id, id order by from_seq) as previous
    from history ${inScope} and noun = 'risk'
  ) as state
  where data -> 'acceptance' ->> 'accepted_at' is distinct from previous
    and data -> 'acceptance' ->> 'accepted_at' is not null`

/** Missing and surplus rows, and rows that differ from the state that they began with. */
const rows = `
  select format('The acceptance of %s at %s of %s is %s, and its history has %s.', risk_id,
    accepted_at, workspace_id, to_jsonb(kept), was) as message
  from (select * from acceptances ${inScope}) as kept
  full join (${begun}) as begun using (workspace_id, risk_id, accepted_at)
  where kept.ref is null or was is null
    or (rationale, expires_on::text, appetite, likelihood, impact) is distinct from (
      was ->> 'rationale', was ->> 'expires_on', (was ->> 'risk_appetite')::integer,
      (was ->> 'likelihood')::integer, (was ->> 'impact')::integer)`

/** The present acceptance of a risk follows it; the others have ended. */
const states = `
  select format('The acceptance of %s at %s of %s is %s (%s), and should be %s.', r.ref,
    a.accepted_at, a.workspace_id, a.status, a.end_reason, wanted) as message
  from (select * from acceptances ${inScope}) as a
  join risks as r on r.workspace_id = a.workspace_id and r.id = a.risk_id
  cross join lateral (select case
    when r.accepted_at is distinct from a.accepted_at then 'ended'
    when r.status in ('occurred', 'closed') then 'ended ' || r.status
    when 'acceptance_expired' = any(r.flags) then 'expired' else 'active' end as wanted
  ) as expected
  where a.project_id <> r.project_id or wanted <> a.status || case
    when a.end_reason in ('occurred', 'closed') then ' ' || a.end_reason else '' end`

export const acceptanceChecks = [rows, states]
