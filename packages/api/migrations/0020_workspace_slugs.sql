-- A workspace can have a slug: a short name that people know, for the address of its sign-in page.
-- Null is the default, so that no row is written and the previous release can create workspaces.
alter table workspaces add column slug text check (
  length(slug) between 3 and 40 and slug ~ '^[a-z0-9](-?[a-z0-9])*$'
);
grant update (slug) on workspaces to muster_app;

-- The only index of a tenant table that does not lead with the workspace: a slug is unique among
-- all workspaces of the database. Null is not in it.
-- squawk-ignore require-concurrent-index-creation
create unique index workspaces_by_slug on workspaces (slug) where slug is not null;

-- Finds a workspace before it is entered: the sign-in page by its slug, and who has a slug that
-- another workspace wants.
create function workspace_by_slug(wanted text) returns uuid
language sql stable security definer
set search_path = muster, pg_temp
as $$
  select id from workspaces where slug = wanted
$$;

revoke all on function workspace_by_slug (text) from public;
grant create on schema muster to muster_auth;
alter function workspace_by_slug (text) owner to muster_auth;
revoke create on schema muster from muster_auth;
-- Only its owner can grant it. Administrators create workspaces with a slug.
set local role muster_auth;
grant execute on function workspace_by_slug (text) to muster_app, muster_owner;
set local role muster_owner;
