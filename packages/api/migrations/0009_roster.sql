-- No release has filled these tables, so their indexes are built and dropped in place, and columns
-- come and go.
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion
-- squawk-ignore-file ban-drop-column, adding-field-with-default
-- The roster is read a status at a time, like everything else that has one: those who are on it are
-- two lanes, and the indexes that held them together are not needed.
drop index people_roster;
drop index people_roster_by_name;
drop index people_roster_by_version;

-- What the roster is looked through for: whom people report to, what they do and where, each in the
-- three orders of the list. `none` has a key as well. The key of a text is the text without letter
-- case and accents.
alter table people
  add column erased_at timestamptz(3),
  add column manager_key uuid not null generated always as (
    coalesce(manager_user_id, '00000000-0000-0000-0000-000000000000')
  ) stored,
  add column title_key text collate "C" not null default '',
  add column department_key text collate "C" not null default '';

create index people_by_manager on people (workspace_id, manager_key, status, created_at, id);
create index people_by_manager_name on people (workspace_id, manager_key, status, sort_name, id);
create index people_by_manager_version on people (workspace_id, manager_key, status, version, id);
create index people_by_title on people (workspace_id, title_key, status, created_at, id);
create index people_by_title_name on people (workspace_id, title_key, status, sort_name, id);
create index people_by_title_version on people (workspace_id, title_key, status, version, id);
create index people_by_department on people (workspace_id, department_key, status, created_at, id);
create index people_by_department_name
on people (workspace_id, department_key, status, sort_name, id);
create index people_by_department_version
on people (workspace_id, department_key, status, version, id);

-- A membership repeats what the members of a group are listed by. Whoever leads the group is told
-- by the group.
alter table memberships
  drop column is_lead,
  add column status text not null default 'active' check (status in ('active', 'suspended')),
  add column created_at timestamptz(3) not null default now(),
  add column sort_name text collate "C" not null default '',
  add column version bigint not null default 0;

drop index memberships_by_person;
create index memberships_in_order
on memberships (workspace_id, group_id, status, created_at, user_id);
create index memberships_by_name
on memberships (workspace_id, group_id, status, sort_name, user_id);
create index memberships_by_version
on memberships (workspace_id, group_id, status, version, user_id);

-- Row level security lets no index look into a text. So every end of name and email, words with a
-- blank between them, of two letters or more and cut after ten, is a row: text that contains "indq"
-- has an end that begins so, and that is one stretch of the index. The name is repeated, so that
-- those who are found can be put in order before any of them is looked up.
create table person_words (
  workspace_id uuid not null references workspaces,
  ending text collate "C" not null,
  id uuid not null,
  sort_name text collate "C" not null,
  primary key (workspace_id, ending, id) include (sort_name)
);

alter table person_words enable row level security;
alter table person_words force row level security;
create policy entered on person_words
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, delete on person_words to muster_app;

-- Who owns a project is asked when they leave.
create index projects_by_owner on projects (workspace_id, owner_user_id, created_at, id)
where owner_user_id is not null;

-- Whoever is erased must be erased from the answers that are kept for repetition. Only those of
-- writes to the roster hold anything of a person.
alter table idempotency_records add column is_personal boolean not null default false;
create index idempotency_records_personal on idempotency_records (workspace_id)
where is_personal;

-- What is there already is brought along, a workspace at a time.
do $$
declare
  home uuid;
begin
  for home in select id from workspaces loop
    perform set_config('app.ws', home::text, true);

    update people set
      title_key = coalesce(lower(
        regexp_replace(normalize(title, NFKD), U&'[\0300-\036F]', '', 'g')
      ), ''),
      department_key = coalesce(lower(
        regexp_replace(normalize(department, NFKD), U&'[\0300-\036F]', '', 'g')
      ), '')
    where workspace_id = home;

    update memberships as m set
      status = p.status, created_at = p.created_at, sort_name = p.sort_name, version = p.version
    from people as p
    where m.workspace_id = home and p.workspace_id = home and p.id = m.user_id;

    insert into person_words (workspace_id, ending, id, sort_name)
    select distinct home, rtrim(substr(words, start, 10)), id, sort_name
    from people,
      trim(regexp_replace(search_text, '[ -/:-@[-`{-~]+', ' ', 'g')) as words,
      generate_series(1, length(words) - 1) as start
    where workspace_id = home and substr(words, start, 1) <> ' '
      and length(rtrim(substr(words, start, 10))) >= 2;

    update idempotency_records set is_personal = true where workspace_id = home;
  end loop;
end
$$;

alter table people alter column title_key drop default, alter column department_key drop default;
alter table memberships
  alter column status drop default,
  alter column created_at drop default,
  alter column sort_name drop default,
  alter column version drop default;
