import { readFile } from 'node:fs/promises'

import { type Kysely, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'

import { ours } from './migrations.ts'

/** The definition of each object of the schema, by kind and name, such as `column people.email`. */
export type Catalog = ReadonlyMap<string, string>

/** The tables without those of the migrator, the functions, and the privileges on both. */
const sources = sql`
  tables as (
    select oid, relname::text as name, relkind, relrowsecurity, relforcerowsecurity, relacl
    from pg_class
    where relnamespace = to_regnamespace('muster') and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and relname <> 'migration_checksums' and relname not like 'kysely%'
  ),
  functions as (
    select oid, proowner, proacl,
      proname || '(' || pg_get_function_identity_arguments(oid) || ')' as name
    from pg_proc where pronamespace = to_regnamespace('muster')
  ),
  grants as (
    select t.name, acl.grantee, acl.privilege_type
    from tables t, aclexplode(t.relacl) acl
    union all
    select t.name || '.' || a.attname, acl.grantee, acl.privilege_type
    from tables t join pg_attribute a on a.attrelid = t.oid, aclexplode(a.attacl) acl
    union all
    select f.name, acl.grantee, acl.privilege_type
    from functions f, aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) acl
  )`

const columns = sql`
  select 2, 'column ' || t.name || '.' || a.attname, concat_ws(
    ' ', format_type(a.atttypid, a.atttypmod),
    case when a.attcollation <> ty.typcollation then 'collate ' || co.collname end,
    case when a.attgenerated <> '' then 'generated' end,
    case when a.attidentity <> '' then 'identity' end,
    'default ' || pg_get_expr(d.adbin, d.adrelid),
    case when a.attnotnull then 'not null' end
  )
  from tables t
  join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
  join pg_type ty on ty.oid = a.atttypid
  left join pg_collation co on co.oid = a.attcollation
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum`

const policies = sql`
  select 5, 'policy ' || t.name || '.' || p.polname, concat_ws(
    ' ', p.polcmd::text, case when not p.polpermissive then 'restrictive' end,
    'to ' || array(
      select coalesce(r.rolname, 'public') from unnest(p.polroles) as named (id)
      left join pg_roles r on r.oid = named.id order by 1
    )::text,
    'using ' || pg_get_expr(p.polqual, t.oid), 'check ' || pg_get_expr(p.polwithcheck, t.oid)
  )
  from tables t join pg_policy p on p.polrelid = t.oid`

/**
 * The objects of the schema as PostgreSQL describes them: the same in versions 15 to 18, where 18
 * also has a constraint for NOT NULL. It omits what an operator may change, such as storage
 * parameters and grants to other roles.
 */
export async function selectCatalog(db: Kysely<DB>): Promise<Catalog> {
  const { rows } = await sql<{ object: string; definition: string }>`
    with ${sources},
    objects (place, object, definition) as (
      select 1, 'table ' || name, concat_ws(
        ', ', relkind::text,
        case when relrowsecurity then 'row level security' end,
        case when relforcerowsecurity then 'forced' end
      )
      from tables
      union all ${columns}
      union all
      select 3, 'constraint ' || t.name || '.' || c.conname, pg_get_constraintdef(c.oid)
      from tables t join pg_constraint c on c.conrelid = t.oid and c.contype <> 'n'
      union all
      select 4, 'index ' || c.relname, concat_ws(
        ' ', pg_get_indexdef(i.indexrelid), case when not i.indisvalid then 'invalid' end
      )
      from tables t
      join pg_index i on i.indrelid = t.oid
      join pg_class c on c.oid = i.indexrelid
      union all ${policies}
      union all
      select 6, 'trigger ' || t.name || '.' || g.tgname, pg_get_triggerdef(g.oid)
      from tables t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
      union all
      select 7, 'function ' || name,
        pg_get_functiondef(oid) || 'owner ' || proowner::regrole::text
      from functions
      union all
      select 8, 'grant on ' || g.name || ' to ' || coalesce(r.rolname, 'public'),
        string_agg(g.privilege_type, ', ' order by g.privilege_type)
      from grants g left join pg_roles r on r.oid = g.grantee
      where g.grantee = 0 or r.rolname in ('muster_app', 'muster_auth')
      group by g.name, r.rolname
    )
    select object, definition from objects order by place, object collate "C"`.execute(db)
  return new Map(rows.map(({ object, definition }) => [object, definition]))
}

/** The schema after the last migration of a release that stored no checksums. */
const frozenSchema = new URL('0008_schema.json', ours)

/** The first difference of the schema from that of the frozen migrations; null if there is none. */
export async function selectFirstDifference(db: Kysely<DB>): Promise<string | null> {
  // A frozen file: its checksum is in SHA256SUMS.
  const frozen = JSON.parse(await readFile(frozenSchema, 'utf8')) as Record<string, string>
  return firstDifference(new Map(Object.entries(frozen)), await selectCatalog(db))
}

function firstDifference(wanted: Catalog, found: Catalog): string | null {
  for (const [object, definition] of wanted) {
    if (!found.has(object)) return `${object} is missing`
    if (found.get(object) !== definition) return `${object} differs`
  }
  const extra = found.keys().find((object) => !wanted.has(object))
  return extra === undefined ? null : `${extra} is not in them`
}
