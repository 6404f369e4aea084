-- One row for each term of the sequence numbers of a workspace. `workspace_counters` has the last
-- 16 terms, which every request reads. Older ones are looked up here, so that the ETag of a
-- resource stays the same for as long as the resource does. The write that starts a term inserts
-- its row. It also inserts terms of the last 16 that are missing: the previous release inserts
-- none. `started_at` of a term from before this migration is the time of the migration.
create table term_starts (
  workspace_id uuid not null references workspaces,
  first_seq bigint not null,
  term text not null check (term ~ '^[0-9a-f]{12}$'),
  started_at timestamptz(3) not null,
  primary key (workspace_id, first_seq, term)
);

alter table term_starts enable row level security;
alter table term_starts force row level security;
create policy workspace_isolation on term_starts
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert on term_starts to muster_app;

-- Row level security shows the counters of the entered workspace only.
do $$
declare
  entered uuid;
begin
  for entered in select id from workspaces loop
    perform set_config('app.ws', entered::text, true);
    insert into term_starts (workspace_id, first_seq, term, started_at)
    select c.workspace_id, started.first_seq, started.term, now()
    from workspace_counters c
    cross join lateral unnest(c.term_firsts, c.terms) as started (first_seq, term)
    where c.workspace_id = entered;
  end loop;
end
$$;
