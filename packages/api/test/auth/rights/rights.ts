/** The rights of everyone in a workspace, read from the database, and how they changed. */

import {
  appetiteRoles,
  grants,
  roleScopes,
  type RoleName,
  type Scope,
  scopes,
} from '@muster/contract'

import { isAllowed } from '#domain/auth/addresses'
import { encodeId } from '#storage/values/id'
import type { Host } from '#test/support/workspace'

/** What each person, each key and the workspace itself has or allows, by id. */
export type Rights = ReadonlyMap<string, Held>

interface Held {
  readonly rights: ReadonlySet<string>
  /** The groups of a person. */
  readonly groups: readonly string[]
}

interface Row {
  readonly kind: 'usr' | 'key' | 'wsp'
  readonly id: string
  readonly groups: string[]
  readonly roles: RoleName[]
  readonly scopes: Scope[]
  readonly networks: string[] | null
  readonly hours: number | null
  /** Anything else by which a person signs in or is found, and policies as numbers. */
  readonly others: string[]
}

/** A departed person has no role, so nothing of them is listed. */
const people = `
  select 'usr' as kind, p.id, p.group_ids as groups, held.roles, '{}'::text[] as scopes,
    null::text[] as networks, null::float8 as hours, array(
      select 'session ' || id from sessions s where s.workspace_id = $1 and s.user_id = p.id
      union all select 'link ' || encode(hash, 'hex')
        from sign_in_links l where l.workspace_id = $1 and l.user_id = p.id
      union all select 'passkey ' || id
        from passkeys k where k.workspace_id = $1 and k.user_id = p.id
      union all select 'account ' || subject
        from identities i where i.workspace_id = $1 and i.user_id = p.id
      union all select concat('identity ', email, ' ', external_id) where held.roles <> '{}'
      union all select 'bindable' where held.roles <> '{}' and not exists (
        select from binding_holds h where h.workspace_id = $1 and h.user_id = p.id)
    ) as others
  from people p cross join lateral (
    select coalesce(array_agg(e.role) filter (where p.status = 'active'), '{}') as roles
    from access_entries e
    where e.workspace_id = $1 and e.is_granting and e.subject_id = any (p.group_ids || p.id)
  ) held
  where p.workspace_id = $1`

const keys = `
  select 'key', id, '{}', '{}', scopes, allowed_cidrs,
    coalesce(extract(epoch from expires_at - now()) / 3600, 'infinity')::float8, '{}'
  from api_keys
  where workspace_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`

const workspace = `
  select 'wsp', w.id, '{}', '{}', '{}', null, null, array(
    select concat_ws(' ', 'provider', issuer, client_id, match, allowed_domains, first_sign_in)
      from sign_in_providers o where o.workspace_id = $1
    union all select 'sessions of ' || n || ' days' from generate_series(1, w.session_days) n
    union all select 'keys of ' || n || ' days' from unnest(array[1, 30, 366, 367]) n
      where n <= coalesce(w.key_days_max, 367)
  )
  from workspaces w where w.id = $1`

const probes = ['127.0.0.1', '10.1.1.1', '203.0.113.9', '::1']
const lives = [0, 0.5, 48, 24 * 60, 24 * 400]

export async function readRights({ sql }: Host, uuid: string): Promise<Rights> {
  const { rows } = await sql.query<Row>(
    [people, keys, workspace].map((each) => `(${each})`).join(' union all '),
    [uuid],
  )
  return new Map(
    rows.map((row) => {
      const groups = row.groups.map((id) => encodeId('grp', id))
      return [encodeId(row.kind, row.id), { rights: new Set(rightsIn(row)), groups }]
    }),
  )
}

function rightsIn({ roles, scopes: own, networks, hours, others }: Row): string[] {
  const held = [...own, ...roles.flatMap((role): readonly Scope[] => roleScopes[role])]
  return [
    ...scopes.filter((scope) => held.some((each) => isIn(grants[each], scope))),
    ...(roles.some((role) => appetiteRoles.includes(role)) ? ['risk_appetite'] : []),
    ...(networks === null ? [] : probes.filter((probe) => isAllowed(probe, networks))),
    ...lives.filter((life) => hours !== null && life < hours).map((life) => `for ${life} hours`),
    ...others,
  ]
}

const isIn = (list: readonly string[], value: string) => list.includes(value)

/** What one person, key or workspace has more or less than before. */
export interface Change {
  readonly id: string
  /** The groups of a person, before or after. */
  readonly groups: readonly string[]
  readonly grown: readonly string[]
  readonly lost: readonly string[]
}

export function changesBetween(before: Rights, after: Rights): Change[] {
  const none: Held = { rights: new Set(), groups: [] }
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((id) => {
      const [old, now] = [before.get(id) ?? none, after.get(id) ?? none]
      const grown = [...now.rights.difference(old.rights)]
      const lost = [...old.rights.difference(now.rights)]
      return { id, groups: [...old.groups, ...now.groups], grown, lost }
    })
    .filter(({ grown, lost }) => grown.length + lost.length > 0)
}
