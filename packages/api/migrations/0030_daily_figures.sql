-- The figures of each project at the end of its closed days, and those of the workspace under the
-- nil project. A day has a row only if a figure differs from the row before, or something entered,
-- left, was opened, closed or done. Levels and exposure follow from the cells. Derived from events
-- and history: the sweep writes the rows together with those of `days`, and an export has none.
create table daily_figures (
  workspace_id uuid not null,
  project_id uuid not null,
  day date not null,
  -- Live risks by likelihood and impact: the first five are of likelihood 1.
  cells integer [] not null,
  above_appetite integer not null,
  above_appetite_accepted integer not null,
  reviews_overdue integer not null,
  entered integer not null,
  "left" integer not null,
  occurred integer not null,
  issues_open integer not null,
  issues_opened integer not null,
  issues_closed integer not null,
  issues_overdue integer not null,
  tasks_open integer not null,
  tasks_overdue integer not null,
  tasks_done integer not null,
  primary key (workspace_id, project_id, day),
  check (cardinality(cells) = 25)
);

alter table daily_figures enable row level security;
alter table daily_figures force row level security;
create policy workspace_isolation on daily_figures
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert on daily_figures to muster_app;

-- False for the days up to the last change of a task whose state was not kept: a release without
-- states of tasks made it. The task figures of such a day are not shown.
alter table days add column has_task_figures boolean not null default true;
grant update (has_task_figures) on days to muster_app;
