-- A new table locks every table that it references.
create table comments (
  workspace_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  body text not null check (length(body) <= 2000),
  primary key (workspace_id, id),
  foreign key (workspace_id, project_id) references projects (workspace_id, id)
);
alter table comments enable row level security;
alter table comments force row level security;
create policy entered on comments
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
