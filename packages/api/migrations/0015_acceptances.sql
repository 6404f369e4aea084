-- What applied when a risk was accepted: its rating, and the appetite of its project. An appetite
-- of null means that the project had none. `acceptance_rated_at` repeats `accepted_at` of the
-- acceptance that these columns are of. The previous release accepts risks without setting them,
-- so that they can be those of an earlier acceptance. Then the times differ, and the rating is
-- not known.
alter table risks
add column acceptance_appetite smallint check (acceptance_appetite between 1 and 25),
add column acceptance_likelihood smallint check (acceptance_likelihood between 1 and 5),
add column acceptance_impact smallint check (acceptance_impact between 1 and 5),
add column acceptance_rated_at timestamptz(3);

-- Every acceptance of every risk, for the list of acceptances: the history of a risk has them
-- too, but no index leads from a person or a day to the states of all risks. A risk has one
-- acceptance at a time, so its time identifies it. `title` is that of the risk at that time. An
-- acceptance follows its risk to another project. `status` depends on a flag and not on the date,
-- so that the list, its filter and its ETag agree. Rating and appetite are null if they are not
-- known.
create table acceptances (
  workspace_id uuid not null,
  risk_id uuid not null,
  accepted_at timestamptz(3) not null,
  project_id uuid not null,
  ref text collate "C" not null,
  title text not null,
  accepted_by_user_id uuid not null,
  expires_on date not null,
  rationale text not null,
  appetite smallint check (appetite between 1 and 25),
  likelihood smallint check (likelihood between 1 and 5),
  impact smallint check (impact between 1 and 5),
  status text not null check (status in ('active', 'expired', 'ended')),
  ended_at timestamptz(3),
  end_reason text check (end_reason in ('withdrawn', 'superseded', 'occurred', 'closed')),
  primary key (workspace_id, risk_id, accepted_at),
  constraint acceptances_rating check (num_nonnulls(likelihood, impact) <> 1),
  constraint acceptances_end check (
    num_nonnulls(ended_at, end_reason) = case when status = 'ended' then 2 else 0 end
  ),
  foreign key (workspace_id, risk_id) references risks,
  foreign key (workspace_id, project_id) references projects,
  foreign key (workspace_id, accepted_by_user_id) references people
);

create index acceptances_by_time on acceptances (workspace_id, accepted_at, risk_id);
create index acceptances_by_project
on acceptances (workspace_id, project_id, accepted_at, risk_id);
create index acceptances_by_person
on acceptances (workspace_id, accepted_by_user_id, accepted_at, risk_id);
create index acceptances_by_status on acceptances (workspace_id, status, accepted_at, risk_id);

alter table acceptances enable row level security;
alter table acceptances force row level security;
create policy workspace_isolation on acceptances
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on acceptances to muster_app;
