import { type Kysely, sql } from 'kysely'

import { checksumsTable, readMigrations } from '#storage/migration/migrations'
import type { DB } from '#storage/schema/tables'

/** A privilege that a migration grants. */
export interface Grant {
  readonly role: string
  readonly privilege: string
  /** The name of a table or a function. */
  readonly object: string
  /** Null for a privilege on the whole table or function. */
  readonly column: string | null
}

const grantStatement =
  /^grant\s+([^;]+?)\s+on\s+(?:function\s+)?(\w+)\s*(?:\([^)]*\))?\s+to\s+([^;]+);/gim
const revokeStatement = /^revoke\s+([^;]+?)\s+on\s+(\w+)\s+from\s+([^;]+);/gim
const privileges = /(\w+)(?:\s*\(([^)]*)\))?/g

/** The privileges on tables and functions that the migrations of this release leave granted. */
export async function readGrants(): Promise<Grant[]> {
  const migrations = await readMigrations()
  return [checksumsTable, ...migrations.map(({ text }) => text)].reduce<Grant[]>(
    (granted, text) => {
      const added = privilegesIn(text, grantStatement)
      // A function can have several signatures, each with its grant.
      const replaced = new Set([...privilegesIn(text, revokeStatement), ...added].map(nameOf))
      return [...granted.filter((grant) => !replaced.has(nameOf(grant))), ...added]
    },
    [],
  )
}

const nameOf = ({ role, privilege, object, column }: Grant) =>
  [role, privilege, object, column].join(' ')

function privilegesIn(text: string, statement: RegExp): Grant[] {
  return Array.from(text.matchAll(statement), ([, list = '', object = '', roles = '']) =>
    Array.from(list.matchAll(privileges), ([, privilege = '', columns]) =>
      namesOf(columns ?? '').flatMap((column) =>
        namesOf(roles).map((role) => ({ role, privilege, object, column: column || null })),
      ),
    ).flat(),
  ).flat()
}

const namesOf = (list: string) => list.split(',').map((name) => name.trim())

/** A grant on an object that exists, and whether the role has it. */
export type GrantState = Grant & {
  readonly isGranted: boolean
  /** Of a function, as in a GRANT statement; null for a table. */
  readonly signature: string | null
}

/** The state of grants on tables and functions that exist. The roles must exist. */
export async function selectGrants(
  db: Kysely<DB>,
  grants: readonly Grant[],
): Promise<GrantState[]> {
  const { rows } = await sql<GrantState>`
    select g.role, g.privilege, g.object, g."column",
      case
        when p.oid is not null then has_function_privilege(g.role, p.oid, g.privilege)
        when g."column" is not null
          then has_column_privilege(g.role, c.oid, g."column", g.privilege)
        else has_table_privilege(g.role, c.oid, g.privilege)
      end as "isGranted",
      'function muster.' || p.proname || '('
        || pg_get_function_identity_arguments(p.oid) || ')' as signature
    from jsonb_to_recordset(${JSON.stringify(grants)}::jsonb)
      as g (role text, privilege text, object text, "column" text)
    left join pg_class c
      on c.relname = g.object and c.relnamespace = to_regnamespace('muster')
        and c.relkind in ('r', 'p')
    left join pg_proc p on p.proname = g.object and p.pronamespace = to_regnamespace('muster')
    where coalesce(c.oid, p.oid) is not null
    order by g.role, g.object, g.privilege`.execute(db)
  return rows
}
