-- The id that another system has for a project, a risk, an issue or a task. A record keeps it when
-- it is closed or archived, so that the next import finds the record. Adding the columns rewrites
-- no row, and the indexes are empty when they are built.
alter table projects add column external_id text collate "C";
alter table risks add column external_id text collate "C";
alter table issues add column external_id text collate "C";
alter table tasks add column external_id text collate "C";

-- squawk-ignore require-concurrent-index-creation
create unique index projects_external_id on projects (workspace_id, external_id)
where external_id is not null;

-- squawk-ignore require-concurrent-index-creation
create unique index risks_external_id on risks (workspace_id, external_id)
where external_id is not null;

-- squawk-ignore require-concurrent-index-creation
create unique index issues_external_id on issues (workspace_id, external_id)
where external_id is not null;

-- squawk-ignore require-concurrent-index-creation
create unique index tasks_external_id on tasks (workspace_id, external_id)
where external_id is not null;
