-- The history has the states of tasks, too. The sweep adds the present state of the tasks that were
-- written before. `has_task_states`: it found no task without a state. The default is stored in the
-- catalog, so that no row is rewritten. The previous release does not read the column.
alter table workspace_counters add column has_task_states boolean not null default false;
