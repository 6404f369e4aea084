import { type Selectable, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'
import type { Actor, Read, Write } from '#storage/statements/access'
import {
  isOneOf,
  isOwn,
  nil,
  type Page,
  pageOf,
  type PageResult,
  rowsFor,
} from '#storage/statements/keyset'
import { encodeActor, encodeId, uuidOf, uuidOfOptional } from '#storage/values/id'

const columns = [
  'user_id',
  'fields',
  'rights',
  'is_bound',
  'actor_type',
  'actor_id',
  'actor_user_id',
  'created_at',
] as const satisfies (keyof DB['binding_holds'])[]

/** An unconfirmed change of the email or external id of a person. */
export interface IdentityHold {
  readonly user_id: string
  readonly fields: readonly string[]
  /** The rights that the person may get without a confirmation. */
  readonly rights: readonly string[]
  /** Whether an account was bound to the person since. */
  readonly is_bound: boolean
  /** Null if an earlier release recorded the change. */
  readonly actor: Actor | null
  readonly created_at: string
}

type Row = Pick<Selectable<DB['binding_holds']>, (typeof columns)[number]>

const presentHold = ({ actor_type, actor_id, actor_user_id, ...row }: Row): IdentityHold => ({
  ...row,
  user_id: encodeId('usr', row.user_id),
  // The cast holds because a constraint allows only these types.
  actor: actor_type === null ? null : (encodeActor(actor_type, actor_id, actor_user_id) as Actor),
})

const holdsOf = (read: Read) =>
  read.db.selectFrom('binding_holds').select(columns).where('workspace_id', '=', read.workspaceId)

/** The holds of these people, by user id. */
export async function selectHolds(
  read: Read,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, IdentityHold>> {
  if (userIds.length === 0) return new Map()
  const rows = await holdsOf(read)
    .where(isOneOf('user_id', userIds.map(uuidOf)))
    .execute()
  return new Map(rows.map(presentHold).map((hold) => [hold.user_id, hold]))
}

/** All holds, for the export. */
export async function selectHoldPage(read: Read, page: Page): Promise<PageResult<IdentityHold>> {
  const rows = await holdsOf(read)
    .where('user_id', '>', String(page.after?.[0] ?? nil))
    .orderBy('user_id')
    .limit(rowsFor(page))
    .execute()
  return pageOf(rows, { limit: page.limit, columns: ['user_id'], present: presentHold })
}

/** People, and the members of groups. */
export interface Receivers {
  readonly userIds?: readonly string[]
  readonly groupIds?: readonly string[]
}

const lacks = (rights: readonly string[]) => sql<boolean>`not rights @> ${rights}::text[]`

/** At most `limit` of these people whose hold lacks one of the rights. */
export async function selectHeldBelow(
  read: Read,
  { userIds = [], groupIds = [] }: Receivers,
  { rights, limit }: { readonly rights: readonly string[]; readonly limit: number },
): Promise<string[]> {
  const own = userIds.length === 0 ? [] : await heldPeople(read, userIds, { rights, limit })
  const members = groupIds.length === 0 ? [] : await heldMembers(read, groupIds, { rights, limit })
  return [...new Set([...own, ...members])].slice(0, limit)
}

interface Search {
  readonly rights: readonly string[]
  readonly limit: number
}

async function heldPeople(read: Read, userIds: readonly string[], { rights, limit }: Search) {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from binding_holds
    where ${isOwn(read, 'binding_holds')} and ${isOneOf('user_id', userIds.map(uuidOf))}
      and ${lacks(rights)}
    order by user_id limit ${limit}`.execute(read.db)
  return rows.map(({ user_id }) => encodeId('usr', user_id))
}

async function heldMembers(read: Read, groupIds: readonly string[], { rights, limit }: Search) {
  const { rows } = await sql<{ user_id: string }>`
    select memberships.user_id from memberships join binding_holds
      on ${isOwn(read, 'binding_holds')} and binding_holds.user_id = memberships.user_id
    where ${isOwn(read, 'memberships')} and ${isOneOf('group_id', groupIds.map(uuidOf))}
      and ${lacks(rights)}
    order by memberships.user_id limit ${limit}`.execute(read.db)
  return rows.map(({ user_id }) => encodeId('usr', user_id))
}

/** `before` is null for a person without a hold. */
export function upsertHold(write: Write, before: IdentityHold | null, after: IdentityHold): void {
  if (before === null) write.insert('binding_holds', holdRow(after))
  else write.update('binding_holds', holdRow(after))
}

/** The columns of a hold. */
export const holdRow = ({ actor, fields, rights, ...hold }: IdentityHold) => ({
  user_id: uuidOf(hold.user_id),
  fields: [...fields],
  rights: [...rights],
  is_bound: hold.is_bound,
  actor_type: actor?.type ?? null,
  actor_id: uuidOfOptional(actor?.id ?? null),
  actor_user_id: uuidOfOptional(actor?.user_id ?? null),
  created_at: hold.created_at,
})

/** Marks the hold of a person, if there is one, when an account is bound. */
export async function markBound(read: Read, userId: string): Promise<void> {
  await read.db
    .updateTable('binding_holds')
    .set({ is_bound: true })
    .where('workspace_id', '=', read.workspaceId)
    .where('user_id', '=', uuidOf(userId))
    .execute()
}

export function deleteHold(write: Write, userId: string): void {
  write.delete('binding_holds', { user_id: uuidOf(userId) })
}
