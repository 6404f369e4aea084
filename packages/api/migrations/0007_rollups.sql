-- No release has filled these tables, so their indexes are built in place.
-- squawk-ignore-file require-concurrent-index-creation
-- What the two roll-ups are asked for, each way served by an index. A project's own lists hold
-- every status; they are read a status at a time, in the order of creation or of last change.
create index risks_by_category on risks (workspace_id, category, rank_key, id) where is_live;
create index risks_by_response on risks (workspace_id, response, rank_key, id) where is_live;
create index risks_by_status on risks (workspace_id, status, rank_key, id) where is_live;
create index risks_of_project on risks (workspace_id, project_id, status, id);
create index risks_of_project_by_version on risks (workspace_id, project_id, status, version, id);
create index issues_by_status on issues (workspace_id, status, severity_key, opened_at, id)
where is_open;
create index issues_of_project on issues (workspace_id, project_id, status, id);
create index issues_of_project_by_version on issues (workspace_id, project_id, status, version, id);

-- Projects are listed like people and groups: in three orders, by status.
alter table projects
  add column sort_name text collate "C" not null default '',
  add column search_text text not null default '';

create index projects_by_status on projects (workspace_id, status, created_at, id);
create index projects_by_status_name on projects (workspace_id, status, sort_name, id);
create index projects_by_status_version on projects (workspace_id, status, version, id);

-- Flags and tags of live risks and of open issues, in the order of the roll-up they are looked for
-- in. They repeat what the rows hold, because row level security lets no index look into an array.
create table risk_marks (
  workspace_id uuid not null references workspaces,
  kind text not null check (kind in ('flag', 'tag')),
  value text collate "C" not null,
  rank_key smallint not null,
  id uuid not null,
  primary key (workspace_id, kind, value, rank_key, id)
);

alter table risk_marks enable row level security;
alter table risk_marks force row level security;
create policy entered on risk_marks
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, delete on risk_marks to muster_app;

create table issue_marks (
  workspace_id uuid not null references workspaces,
  kind text not null check (kind in ('flag', 'tag')),
  value text collate "C" not null,
  severity_key smallint not null,
  opened_at timestamptz(3) not null,
  id uuid not null,
  primary key (workspace_id, kind, value, severity_key, opened_at, id)
);

alter table issue_marks enable row level security;
alter table issue_marks force row level security;
create policy entered on issue_marks
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, delete on issue_marks to muster_app;

-- How many live risks and open issues there are of each kind, in each project and, under the nil
-- id, in the workspace. A write moves these numbers in its own flush, so a summary never counts.
create table tallies (
  workspace_id uuid not null references workspaces,
  noun text not null check (noun in ('risk', 'issue')),
  project_id uuid not null,
  dimension text not null,
  value text collate "C" not null,
  count integer not null check (count >= 0),
  primary key (workspace_id, noun, project_id, dimension, value)
) with (fillfactor = 80);

create index tallies_by_count on tallies (
  workspace_id, noun, project_id, dimension, count desc, value
);

alter table tallies enable row level security;
alter table tallies force row level security;
create policy entered on tallies
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on tallies to muster_app;

-- What a workspace holds already is counted once. The owner passes the walls like anyone else:
-- a workspace at a time.
do $$
declare
  home uuid;
begin
  for home in select id from workspaces loop
    perform set_config('app.ws', home::text, true);

    -- As `fold` of storage/fold.ts: without letter case, and without accents.
    update projects set
      sort_name = left(lower(
        regexp_replace(normalize(name, NFKD), U&'[\0300-\036F]', '', 'g')
      ), 64),
      search_text = lower(
        regexp_replace(normalize(code || ' ' || name, NFKD), U&'[\0300-\036F]', '', 'g')
      )
    where workspace_id = home;

    insert into risk_marks (workspace_id, kind, value, rank_key, id)
    select home, 'tag', tag, rank_key, id from risks, unnest(tags) as tag
    where workspace_id = home and is_live
    on conflict do nothing;

    insert into issue_marks (workspace_id, kind, value, severity_key, opened_at, id)
    select home, 'tag', tag, severity_key, opened_at, id from issues, unnest(tags) as tag
    where workspace_id = home and is_open
    on conflict do nothing;

    insert into tallies (workspace_id, noun, project_id, dimension, value, count)
    select home, 'risk', scope, dimension, value, count(*)
    from risks,
      unnest(array[project_id, '00000000-0000-0000-0000-000000000000']) as scope,
      lateral (values
        ('current', likelihood::text || impact::text),
        ('inherent', inherent_likelihood::text || inherent_impact::text),
        ('target', target_likelihood::text || target_impact::text),
        ('status', status),
        ('owner', coalesce(owner_user_id::text, 'none')),
        ('project', project_id::text)
      ) as counted (dimension, value)
    where workspace_id = home and is_live and value is not null
      and (dimension <> 'project' or scope <> project_id)
    group by scope, dimension, value;

    insert into tallies (workspace_id, noun, project_id, dimension, value, count)
    select home, 'issue', scope, dimension, value, count(*)
    from issues,
      unnest(array[project_id, '00000000-0000-0000-0000-000000000000']) as scope,
      lateral (values
        ('severity', severity::text),
        ('status', status),
        ('assignee', coalesce(assignee_user_id::text, 'none')),
        ('month', to_char(opened_at at time zone 'UTC', 'YYYY-MM')),
        ('project', project_id::text)
      ) as counted (dimension, value)
    where workspace_id = home and is_open
      and (dimension <> 'project' or scope <> project_id)
    group by scope, dimension, value;
  end loop;
end
$$;

alter table projects alter column sort_name drop default, alter column search_text drop default;
