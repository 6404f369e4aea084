import type { Client } from 'pg'

/** Tables of the migrator. */
const migrator = ['kysely_migration', 'kysely_migration_lock', 'migration_checksums']
/** Tables that belong to the database and not to a workspace. */
const global = ['cluster', 'job_locks', ...migrator]
/** The allowed security definer functions. */
const definers = [
  'authenticate_credentials',
  'authenticate_keys',
  'authenticate_sessions',
  'changed_workspaces',
  'due_workspaces',
  'find_documents',
  'only_workspace',
  'workspace_by_slug',
]
/**
 * Indexes that do not lead with the workspace: a slug is unique in the whole service, each word
 * of a document starts with a hash of the workspace, and a worker asks for all workspaces that are
 * due.
 */
const acrossWorkspaces = [
  'muster.workspaces_by_slug',
  'muster.workspaces_by_sweep',
  'muster.search_documents_words',
]
/** Tables from which the service may delete. Rows of all others are permanent. */
const deletable = [
  'memberships',
  'idempotency_records',
  'risk_index_rows',
  'issue_index_rows',
  'sweeps',
  'sessions',
  'audit_entries',
  'access_entries',
  'sign_in_links',
  'sign_in_flows',
  'sign_in_providers',
  'passkeys',
  'identities',
  'binding_holds',
  'departures',
  'visits',
]

/** Each rule is a query that returns violations. */
const rules: Record<string, string> = {
  'a tenant table has workspace_id': `
    select c.relname from tenant_tables c
    where c.relname <> 'workspaces' and not exists (
      select from pg_attribute a
      where a.attrelid = c.oid and a.attname = 'workspace_id' and a.attnotnull)`,
  'a global table has no workspace_id': `
    select c.relname || '.' || a.attname from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace = 'muster'::regnamespace and c.relname = any ('{${global.join(',')}}')
      and a.attname like '%workspace%'`,
  'a tenant table forces row level security': `
    select relname from tenant_tables where not (relrowsecurity and relforcerowsecurity)`,
  'a tenant table exposes only the entered workspace': `
    select c.relname from tenant_tables c where not exists (
      select from pg_policy p
      where p.polrelid = c.oid and p.polname = 'workspace_isolation'
        and p.polcmd = '*' and p.polroles = '{0}'
        and pg_get_expr(p.polqual, c.oid) = format(
          '(%s = (current_setting(''app.ws''::text))::uuid)',
          case when c.relname = 'workspaces' then 'id' else 'workspace_id' end)
        and pg_get_expr(p.polwithcheck, c.oid) = pg_get_expr(p.polqual, c.oid))`,
  'no other policy widens access': `
    select c.relname || '.' || p.polname from tenant_tables c join pg_policy p on p.polrelid = c.oid
    where p.polname <> 'workspace_isolation'
      and not p.polroles <@ array['muster_owner'::regrole::oid, 'muster_auth'::regrole::oid]`,
  'every index and constraint leads with the workspace': `
    select i.indexrelid::regclass::text from pg_index i join tenant_tables c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where a.attname <> case when c.relname = 'workspaces' then 'id' else 'workspace_id' end
      and i.indexrelid <> all ('{${acrossWorkspaces.join(',')}}'::regclass[])`,
  'every foreign key includes the workspace': `
    select f.conname from pg_constraint f join tenant_tables c on c.oid = f.conrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = f.conkey[1]
    where f.contype = 'f' and a.attname <> 'workspace_id'`,
  'there is no sequence': `
    select relname from pg_class where relnamespace = 'muster'::regnamespace and relkind = 'S'`,
  'there is no trigger': `
    select t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'muster'::regnamespace and not t.tgisinternal`,
  'there is no enumeration, range or composite type': `
    select typname from pg_type t where typnamespace = 'muster'::regnamespace
      and typtype in ('e', 'r', 'm')`,
  'a view is a security invoker': `
    select relname from pg_class where relnamespace = 'muster'::regnamespace and (
      relkind = 'm'
      or relkind = 'v' and not coalesce(reloptions @> '{security_invoker=true}', false))`,
  'a security definer function is on the list, owned by muster_auth': `
    select proname from pg_proc where pronamespace = 'muster'::regnamespace and prosecdef
      and (proname <> all ('{${definers.join(',')}}') or proowner <> 'muster_auth'::regrole)`,
  'a function resolves its names in a fixed search path, or once, and is not public': `
    select proname from pg_proc where pronamespace = 'muster'::regnamespace and (
      prosqlbody is null
        and not coalesce(proconfig::text like '%search_path=muster, pg_temp%', false)
      or has_function_privilege('public', oid, 'execute'))`,
  'an instant has three fractional digits': `
    select c.relname || '.' || a.attname from tenant_tables c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where a.atttypid = 'timestamptz'::regtype and a.atttypmod <> 3`,
  'the service owns nothing': `
    select relname from pg_class where relowner = 'muster_app'::regrole
    union all select proname from pg_proc where proowner = 'muster_app'::regrole`,
  'no object is owned by a superuser': `
    select relname from pg_class c join pg_roles r on r.oid = c.relowner
    where relnamespace = 'muster'::regnamespace and r.rolsuper`,
  'no role bypasses row level security': `
    select rolname from pg_roles where rolname in ('muster_app', 'muster_auth', 'muster_owner')
      and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolcanlogin)`,
  'the service deletes only from the listed tables, and truncates nothing': `
    select c.relname from tenant_tables c
    where has_table_privilege('muster_app', c.oid, 'truncate')
      or has_table_privilege('muster_app', c.oid, 'delete')
        and c.relname <> all ('{${deletable.join(',')}}')`,
  'the service cannot write global tables': `
    select relname from pg_class c where relname = any ('{cluster,workspaces,${migrator.join(',')}}')
      and relnamespace = 'muster'::regnamespace
      and has_table_privilege('muster_app', c.oid, 'insert, update, delete')`,
}

/** Everything in the schema that breaks a rule, with the rule. */
export async function violations(sql: Client): Promise<string[]> {
  await sql.query(`
    create or replace temp view tenant_tables as
    select oid, relname, relrowsecurity, relforcerowsecurity from pg_class
    where relnamespace = 'muster'::regnamespace and relkind in ('r', 'p', 'f')
      and relname <> all ('{${global.join(',')}}')`)
  const found: string[] = []
  for (const [rule, query] of Object.entries(rules)) {
    const { rows } = await sql.query<Record<string, string>>(query)
    found.push(...rows.map((row) => `${rule}: ${Object.values(row).join()}`))
  }
  return found
}

/** For each rule a statement that breaks it, to prove that the rule detects it. */
export const breaches: Record<keyof typeof rules, string> = {
  'a tenant table has workspace_id': 'create table bad (id uuid)',
  'a global table has no workspace_id': 'alter table job_locks add column workspace_id uuid',
  'a tenant table forces row level security': 'alter table people no force row level security',
  'a tenant table exposes only the entered workspace': `alter policy workspace_isolation on risks using (workspace_id = current_setting('app.ws', true)::uuid)`,
  'no other policy widens access': 'create policy bad on people using (true)',
  'every index and constraint leads with the workspace': 'create index bad on people (email_key)',
  'every foreign key includes the workspace':
    'alter table issues add constraint bad foreign key (risk_id, workspace_id) references risks (id, workspace_id)',
  'there is no sequence': 'create sequence bad',
  'there is no trigger': `
    create function bad() returns trigger language plpgsql as 'begin return new; end';
    create trigger bad before update on people for each row execute function bad()`,
  'there is no enumeration, range or composite type': `create type bad as enum ('a')`,
  'a view is a security invoker': 'create view bad as select id from people',
  'a security definer function is on the list, owned by muster_auth': `create function bad() returns int language sql security definer as 'select 1'`,
  'a function resolves its names in a fixed search path, or once, and is not public': `create function bad() returns int language sql as 'select 1'`,
  'an instant has three fractional digits': 'alter table people add column bad timestamptz',
  'the service owns nothing': `
    grant create on schema muster to muster_app;
    create table bad (workspace_id uuid); alter table bad owner to muster_app`,
  'no object is owned by a superuser': 'alter table people owner to current_user',
  'no role bypasses row level security': 'alter role muster_app bypassrls',
  'the service deletes only from the listed tables, and truncates nothing':
    'grant delete on people to muster_app',
  'the service cannot write global tables': 'grant update on cluster to muster_app',
}
