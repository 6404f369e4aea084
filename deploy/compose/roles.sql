-- The logins of compose.yaml, with the rights that docs/guides/self-host.md describes. The superuser
-- runs this file at each start, so a changed password takes effect.
\set ON_ERROR_STOP on
\getenv admin ADMIN_PASSWORD
\getenv service SERVICE_PASSWORD

select format('create role %I nologin noinherit', name)
from unnest(array['muster_owner', 'muster_app', 'muster_auth']) as name
where not exists (select from pg_roles where rolname = name) \gexec
select format('create role %I', name)
from unnest(array['muster_admin', 'muster_service']) as name
where not exists (select from pg_roles where rolname = name) \gexec

grant muster_auth to muster_owner;
alter role muster_admin login password :'admin';
grant muster_owner, muster_app to muster_admin;
alter role muster_service login noinherit password :'service';
grant muster_app to muster_service;

revoke all on database muster from public;
grant connect, create on database muster to muster_admin;
grant connect on database muster to muster_service;
