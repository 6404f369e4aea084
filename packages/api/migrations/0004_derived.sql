-- Derived rows. The write that changes a risk, an issue or a task also changes these, in the same
-- transaction. packages/api/test/drift compares them with the rows they are derived from.
--
-- One row for each flag and tag of a live risk or an open issue, in the order of its roll-up. Row
-- level security keeps array operators out of an index condition, so the arrays are repeated as
-- rows.
create table risk_index_rows (
  workspace_id uuid not null,
  kind text not null check (kind in ('flag', 'tag')),
  value text collate "C" not null,
  rank_key smallint not null,
  id uuid not null,
  primary key (workspace_id, kind, value, rank_key, id)
);

alter table risk_index_rows enable row level security;
alter table risk_index_rows force row level security;
create policy workspace_isolation on risk_index_rows
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, delete on risk_index_rows to muster_app;

create table issue_index_rows (
  workspace_id uuid not null,
  kind text not null check (kind in ('flag', 'tag')),
  value text collate "C" not null,
  severity_key smallint not null,
  opened_at timestamptz(3) not null,
  id uuid not null,
  primary key (workspace_id, kind, value, severity_key, opened_at, id)
);

alter table issue_index_rows enable row level security;
alter table issue_index_rows force row level security;
create policy workspace_isolation on issue_index_rows
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, delete on issue_index_rows to muster_app;

-- How many live risks, open issues and open tasks have each value of a dimension, in each project
-- and, under the nil project id, in the workspace. A summary reads these numbers. It counts only
-- what depends on the date and is not a flag: overdue tasks.
create table summary_counts (
  workspace_id uuid not null,
  noun text not null check (noun in ('risk', 'issue', 'task')),
  project_id uuid not null,
  dimension text not null,
  value text collate "C" not null,
  count integer not null check (count >= 0),
  primary key (workspace_id, noun, project_id, dimension, value)
) with (fillfactor = 80);

create index summary_counts_by_count on summary_counts (
  workspace_id, noun, project_id, dimension, count desc, value
);

alter table summary_counts enable row level security;
alter table summary_counts force row level security;
create policy workspace_isolation on summary_counts
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on summary_counts to muster_app;
