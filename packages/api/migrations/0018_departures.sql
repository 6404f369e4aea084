-- Planned departures, one for each person. In a table of their own, because a plan to dismiss a
-- person is confidential: no query for people, history or events can show it. The row has no
-- sequence number. `handover` is the reassignment of work as it was sent. `planned_by` is the
-- principal with whose rights the sweeper carries the departure out. A departure that is refused on
-- its day stays with the reason and is not tried again.
create table departures (
  workspace_id uuid not null references workspaces,
  user_id uuid not null,
  departs_on date not null,
  status_reason text,
  if_assigned text not null check (if_assigned in ('keep', 'fail')),
  handover jsonb,
  planned_by_type text not null check (planned_by_type in ('key', 'person')),
  planned_by_id uuid not null,
  planned_by_user_id uuid,
  planned_at timestamptz(3) not null,
  refused_at timestamptz(3),
  refusal_code text,
  refusal_detail text,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references people,
  constraint departures_refusal check (
    (refused_at is null) = (refusal_code is null)
    and (refused_at is null) = (refusal_detail is null)
  )
);

-- By day, for the list and for the sweeper.
create index departures_by_day on departures (workspace_id, departs_on, user_id);

alter table departures enable row level security;
alter table departures force row level security;
create policy workspace_isolation on departures
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update, delete on departures to muster_app;
