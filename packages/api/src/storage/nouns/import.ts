import { randomBytes } from 'node:crypto'

import { type Collection, type Quota } from '@muster/contract'
import { sql } from 'kysely'

import { quotaMaxima } from '#storage/numbers/counters'
import { collectionNames } from '#storage/schema/nouns'
import type { Read } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import { insertAll, updateAll } from '#storage/transaction/loaded-rows'
import { uuidOf, uuidOfOptional } from '#storage/values/id'

import type { StoredAuditEntry } from './audit.ts'
import { departureRow, type StoredDeparture } from './departures.ts'
import type { StoredEvent } from './event-rows.ts'
import type { ExportedAccess, ExportedTerm, NumberedProject } from './export.ts'
import { holdRow, type IdentityHold } from './identity-holds.ts'
import type { StoredKey } from './keys.ts'
import type { StoredPerson } from './personnel.ts'
import type { StoredWorkspace } from './workspace.ts'

/** The counters of an exported workspace, without the counts, which follow from the items. */
export interface ExportedCounters {
  readonly numbers: Readonly<Record<Collection, number>>
  readonly quota: Readonly<Record<Quota, number>>
  readonly terms: readonly { readonly name: string; readonly first: number }[]
}

/** Inserts the workspace, active, with the sequence numbers and terms that it had. */
export async function insertExportedWorkspace(
  read: Read,
  { policies, ...workspace }: Omit<StoredWorkspace, 'status'>,
  { seq, numbers, quota, terms }: ExportedCounters & { readonly seq: number },
): Promise<void> {
  await read.db
    .insertInto('workspaces')
    .values({ ...workspace, ...policies, id: read.workspaceId, status: 'active' })
    .execute()
  await read.db
    .insertInto('workspace_counters')
    .values({
      workspace_id: read.workspaceId,
      seq,
      terms: terms.map(({ name }) => name),
      term_firsts: terms.map(({ first }) => first),
      ...Object.fromEntries(collectionNames.map((name) => [`${name}_seq`, numbers[name]])),
      ...quotaMaxima(quota),
    })
    .execute()
}

export async function updateCounts(
  read: Read,
  counts: Partial<Record<Quota, number>>,
): Promise<void> {
  await read.db
    .updateTable('workspace_counters')
    .set(counts)
    .where('workspace_id', '=', read.workspaceId)
    .execute()
}

/** Sets the managers of people, after all people have been inserted. */
export const updateManagers = (read: Read, people: readonly StoredPerson[]) =>
  updateAll(
    read,
    'people',
    people
      .filter(({ manager_user_id }) => manager_user_id !== null)
      .map(({ id, manager_user_id }) => ({
        id: uuidOf(id),
        manager_user_id: uuidOfOptional(manager_user_id),
      })),
  )

export interface ExportedMember {
  readonly group_id: string
  readonly user_id: string
  readonly joined_at: string
}

/** A membership repeats columns of its person. */
export async function insertMemberships(
  read: Read,
  members: readonly ExportedMember[],
): Promise<void> {
  const rows = members.map(({ group_id, user_id, joined_at }) => ({
    group_id: uuidOf(group_id),
    user_id: uuidOf(user_id),
    joined_at,
  }))
  await sql`
    insert into memberships (
      workspace_id, group_id, user_id, joined_at, status, sort_name, version, created_at
    )
    select ${read.workspaceId}::uuid, r.group_id, r.user_id, r.joined_at, person.status,
      person.sort_name, person.version, person.created_at
    from json_populate_recordset(null::memberships, ${JSON.stringify(rows)}::json) as r
    join people as person on ${isOwn(read, 'person')} and person.id = r.user_id
    `.execute(read.db)
}

export const insertTerms = (read: Read, terms: readonly ExportedTerm[]) =>
  insertAll(read, 'term_starts', terms)

export const insertHolds = (read: Read, holds: readonly IdentityHold[]) =>
  insertAll(read, 'binding_holds', holds.map(holdRow))

export const insertDepartures = (read: Read, plans: readonly StoredDeparture[]) =>
  insertAll(
    read,
    'departures',
    plans.map((plan) => ({ ...departureRow(plan), handover: plan.handover })),
  )

/** Sets the last reference numbers of projects. */
export const updateNumbers = (read: Read, projects: readonly NumberedProject[]) =>
  updateAll(
    read,
    'projects',
    projects.map(({ project_id, ...numbers }) => ({ id: uuidOf(project_id), ...numbers })),
  )

export type ExportedKey = Omit<
  StoredKey,
  'lineage' | 'rotated_at' | 'is_expiry_notified' | 'refused_at'
>

/** Inserts keys with random hashes, because an export has none. No secret matches them. */
export const insertKeys = (read: Read, keys: readonly ExportedKey[]) =>
  insertAll(
    read,
    'api_keys',
    keys.map((key) => ({
      id: uuidOf(key.id),
      lineage: uuidOf(key.id),
      hash: `\\x${randomBytes(32).toString('hex')}`,
      hint: key.hint,
      name: key.name,
      scopes: key.scopes,
      allowed_cidrs: key.allowed_cidrs,
      project_ids: key.project_ids?.map(uuidOf) ?? null,
      user_id: uuidOfOptional(key.user_id),
      responsible_user_id: uuidOfOptional(key.responsible_user_id),
      created_by_type: key.created_by.type,
      created_by_id: uuidOfOptional(key.created_by.id),
      created_by_user_id: uuidOfOptional(key.created_by.user_id),
      expires_at: key.expires_at,
      is_expiry_notified: false,
      revoked_at: key.revoked_at,
      replaces: uuidOfOptional(key.replaces),
      replaced_by: uuidOfOptional(key.replaced_by),
      last_used_at: key.last_used_at,
      last_used_from: key.last_used_from,
      version: key.version,
      created_at: key.created_at,
      updated_at: key.updated_at,
    })),
  )

export const insertAccess = (read: Read, entries: readonly ExportedAccess[]) =>
  insertAll(
    read,
    'access_entries',
    entries.map((entry) => ({
      ...entry,
      subject_id: uuidOf(entry.user_id ?? entry.group_id ?? ''),
      user_id: uuidOfOptional(entry.user_id),
      group_id: uuidOfOptional(entry.group_id),
    })),
  )

/** The events of one write come in order: `position` counts them. */
export const insertEvents = (
  read: Read,
  events: readonly (StoredEvent & { readonly position: number })[],
) =>
  insertAll(
    read,
    'events',
    events.map(({ actor, ...event }) => ({
      ...event,
      id: uuidOf(event.id),
      subject_id: uuidOf(event.subject_id),
      project_id: uuidOfOptional(event.project_id),
      actor_type: actor.type,
      actor_id: uuidOfOptional(actor.id),
      actor_user_id: uuidOfOptional(actor.user_id),
      request_id: uuidOfOptional(event.request_id),
    })),
  )

export type ExportedAuditEntry = Omit<StoredAuditEntry, 'is_imported'>

/** Marks the entries: this service did not observe what they state. */
export const insertAuditEntries = (read: Read, entries: readonly ExportedAuditEntry[]) =>
  insertAll(
    read,
    'audit_entries',
    entries.map(({ actor, ...entry }) => ({
      ...entry,
      id: uuidOf(entry.id),
      actor_type: actor.type,
      actor_id: uuidOfOptional(actor.id),
      actor_user_id: uuidOfOptional(actor.user_id),
      user_id: uuidOfOptional(entry.user_id),
      is_imported: true,
    })),
  )
