-- The words of each person, group, project, risk, issue and task, for `GET /v1/search`: weight A
-- for the reference and the title, B for tags, C for the description. Each word starts with a short
-- hash of the workspace, so that a search reads no entries of other tenants. The previous release
-- writes none of them. The sweep adds what is missing, and corrects what that release has changed.
create table search_documents (
  workspace_id uuid not null,
  noun text collate "C" not null
    check (noun in ('person', 'group', 'project', 'risk', 'issue', 'task')),
  id uuid not null,
  project_id uuid,
  is_live boolean not null,
  document tsvector not null,
  primary key (workspace_id, id)
);

alter table search_documents enable row level security;
alter table search_documents force row level security;
create policy workspace_isolation on search_documents
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
create policy search on search_documents for select to muster_auth using (true);
grant select, insert, update on search_documents to muster_app;
grant select on search_documents to muster_auth;

-- Without a pending list, which each search would read from its beginning to its end.
create index search_documents_words on search_documents using gin (document)
with (fastupdate = off);

-- False until a sweep has found the documents of all items complete.
alter table workspace_counters
add column has_search_documents boolean not null default false;

-- The documents of the entered workspace that have these words. `@@` is not leakproof, so that row
-- level security would keep the query from the index. All of at most `candidates_max` documents are
-- ordered: those with the words in reference or title, then those that are live, then the newest.
create function find_documents(
  words tsquery,
  title_words tsquery,
  nouns text[],
  projects uuid[],
  candidates_max integer,
  at_most integer
)
returns table (noun text, id uuid, is_title boolean, candidates integer)
language sql stable security definer
set search_path = muster, pg_temp
-- The index of words can only be scanned into a bitmap, which the service otherwise avoids.
set enable_bitmapscan = on
set enable_seqscan = off
as $$
  select found.noun, found.id, found.is_title, (count(*) over ())::integer
  from (
    select d.noun, d.id, d.is_live, d.document @@ title_words as is_title
    from search_documents d
    where d.document @@ words
      and (d.workspace_id = current_setting('app.ws')::uuid) is true
      and d.noun = any (nouns)
      and (projects is null or d.project_id is null or d.project_id = any (projects))
    limit candidates_max
  ) as found
  order by found.is_title desc, found.is_live desc, found.id desc
  limit at_most
$$;

revoke all on function find_documents (tsquery, tsquery, text[], uuid[], integer, integer)
from public;
grant execute on function find_documents (tsquery, tsquery, text[], uuid[], integer, integer)
to muster_app;
grant create on schema muster to muster_auth;
alter function find_documents (tsquery, tsquery, text[], uuid[], integer, integer)
owner to muster_auth;
revoke create on schema muster from muster_auth;
