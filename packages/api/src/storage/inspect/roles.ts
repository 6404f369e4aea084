import { type Kysely, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'

/** A database role that Muster uses, and what it may do beyond its grants. */
export interface RoleState {
  readonly name: string
  readonly isSuperuser: boolean
  readonly bypassesRowSecurity: boolean
  /** False when the schema exists and the role may not use it. */
  readonly usesSchema: boolean
  /** Roles that it may act as. */
  readonly memberOf: readonly string[]
}

export async function selectRoles(db: Kysely<DB>, names: readonly string[]): Promise<RoleState[]> {
  const { rows } = await sql<RoleState>`
    select r.rolname::text as name, r.rolsuper as "isSuperuser",
      r.rolbypassrls as "bypassesRowSecurity",
      coalesce(
        has_schema_privilege(r.oid, to_regnamespace('muster')::oid, 'usage'), true
      ) as "usesSchema",
      array(
        select other.rolname::text from pg_roles other
        where other.oid <> r.oid and not r.rolsuper and pg_has_role(r.oid, other.oid, 'member')
        order by 1
      ) as "memberOf"
    from pg_roles r where r.rolname = any (${[...names]}) order by r.rolname`.execute(db)
  return rows
}

/** The login of a connection. */
export interface Login {
  readonly name: string
  readonly isSuperuser: boolean
  readonly bypassesRowSecurity: boolean
  /** Whether it may act as muster_owner. */
  readonly isOwner: boolean
  /** Whether it sees the details of standbys. */
  readonly readsStatistics: boolean
}

export async function selectLogin(db: Kysely<DB>): Promise<Login> {
  const { rows } = await sql<Login>`
    select r.rolname::text as name, r.rolsuper as "isSuperuser",
      r.rolbypassrls as "bypassesRowSecurity",
      exists (
        select from pg_roles o
        where o.rolname = 'muster_owner' and pg_has_role(r.oid, o.oid, 'member')
      ) as "isOwner",
      pg_has_role(r.oid, 'pg_read_all_stats', 'usage') as "readsStatistics"
    from pg_roles r where r.rolname = session_user`.execute(db)
  const [login] = rows
  if (login === undefined) throw new Error('The role of the session does not exist.')
  return login
}

/** How a tenant table is protected. */
export interface TableProtection {
  readonly name: string
  readonly owner: string
  readonly isEnabled: boolean
  readonly isForced: boolean
  readonly isIsolated: boolean
  /** Other policies that let the service see rows. */
  readonly otherPolicies: readonly string[]
}

/** Row level security of every table with rows of workspaces. */
export async function selectTableProtection(db: Kysely<DB>): Promise<TableProtection[]> {
  const { rows } = await sql<TableProtection>`
    select c.relname::text as name, c.relowner::regrole::text as owner,
      c.relrowsecurity as "isEnabled", c.relforcerowsecurity as "isForced",
      exists (
        select from pg_policy p
        where p.polrelid = c.oid and p.polname = 'workspace_isolation' and p.polcmd = '*'
      ) as "isIsolated",
      array(
        select p.polname::text from pg_policy p
        where p.polrelid = c.oid and p.polname <> 'workspace_isolation' and p.polpermissive
          and not p.polroles <@ array(
            select oid from pg_roles where rolname in ('muster_owner', 'muster_auth')
          )
        order by 1
      ) as "otherPolicies"
    from pg_class c
    where c.relnamespace = to_regnamespace('muster') and c.relkind in ('r', 'p')
      and (c.relname = 'workspaces' or exists (
        select from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
      ))
    order by c.relname`.execute(db)
  return rows
}
