import {
  type AccessEntry,
  type AccessList,
  appetiteRoles,
  type NewAccessList,
  type Role,
  roleNames,
  type RoleName,
  roleScopes,
} from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { Failure, type InvalidField, invalid } from '#domain/engine/failure'
import {
  deleteAccessEntries,
  insertAccessEntry,
  lockAccess,
  selectAccessEntries,
  type StoredAccessEntry,
  updateAccessEntry,
} from '#storage/nouns/access'
import { lockGroups } from '#storage/nouns/groups'
import { lockPeople } from '#storage/nouns/personnel'
import { selectCounters } from '#storage/numbers/counters'
import type { Read, Write } from '#storage/statements/access'

import { refuseLastAdmin, roleEntry } from './grants.ts'
import { identityChanges, refuseUnconfirmedEntries } from './identity-holds.ts'
import { changeRights } from './rights-growth.ts'
import { isMore, refuseBeyondRights } from './rights.ts'

const descriptions: Readonly<Record<RoleName, string>> = {
  reader: 'Reads the roster and all projects.',
  contributor: 'Works on projects: risks, issues and tasks.',
  manager: 'Maintains the roster, and accepts risks above the appetite of their project.',
  admin: 'Does everything: keys, access, sign-in and settings.',
}

/** The four roles, from the fewest rights to the most. */
export async function listRoles(): Promise<{ data: Role[] }> {
  const data = roleNames.map((name) => ({
    name,
    description: descriptions[name],
    scopes: [...roleScopes[name]],
    may_exceed_appetite: appetiteRoles.includes(name),
  }))
  return { data }
}

export function viewAccess(caller: Caller<'workspace.manage'>): Promise<AccessList> {
  return caller.database.read(caller, async (read) => {
    const [entries, { access_seq }] = await Promise.all([
      selectAccessEntries(read),
      selectCounters(read),
    ])
    return { as_of: access_seq, entries: await withIdentityChanges(read, entries) }
  })
}

async function withIdentityChanges(
  read: Read,
  entries: readonly StoredAccessEntry[],
): Promise<AccessEntry[]> {
  const userIds = entries.flatMap(({ user_id }) => user_id ?? [])
  const changes = await identityChanges(read, userIds)
  return entries.map((entry) => ({
    ...entry,
    identity_change: changes.get(entry.user_id ?? '') ?? null,
  }))
}

const subjectOf = ({ user_id, group_id }: Partial<StoredAccessEntry>) => user_id ?? group_id ?? ''

/** Replaces who has which role. An entry that stays as it is needs no right of the caller. */
export function replaceAccess(
  caller: Caller<'workspace.manage'>,
  { as_of: asOf, entries: wanted }: NewAccessList,
): Promise<AccessList> {
  refuseMalformed(wanted)
  return caller.database.write(caller, async (write) => {
    // Other writes lock people and groups before the access list, too.
    const entries = await resolveEntries(write, wanted)
    await lockAccess(write)
    const before = await selectAccessEntries(write)
    await refuseStaleAccess(write, asOf)
    const roles = new Map(before.map((entry) => [subjectOf(entry), entry.role]))
    const changed = entries.filter((entry) => roles.get(subjectOf(entry)) !== entry.role)
    for (const { role, ...entry } of changed) {
      refuseBeyondRights(caller, [role], `The role ${role} of ${subjectOf(entry)}`)
    }
    await refuseUnconfirmedEntries(write, changed, roles)
    const kept = new Set(entries.map(subjectOf))
    const removed = [...roles.keys()].filter((id) => !kept.has(id))
    if (changed.length + removed.length === 0) return currentList(write, before)
    await refuseLastAdmin(write, () => false, entries)
    const grown = changed.filter((entry) => isMore(roles.get(subjectOf(entry)), entry.role))
    await changeRights(write, caller, {
      isGrowth: grown.length > 0,
      userIds: grown.flatMap(({ user_id }) => user_id ?? []),
      groupIds: grown.flatMap(({ group_id }) => group_id ?? []),
      entries: [
        ...changed.map((entry) => [subjectOf(entry), entry.role] as const),
        ...removed.map((subject) => [subject, undefined] as const),
      ].map(([subject, after]) => roleEntry({ subject, before: roles.get(subject), after })),
    })
    for (const entry of changed) {
      const subject = subjectOf(entry)
      if (roles.has(subject)) updateAccessEntry(write, subject, { role: entry.role })
      else insertAccessEntry(write, entry)
    }
    deleteAccessEntries(write, removed)
    write.record({ type: 'access.updated', subject: caller.workspaceId, changed: ['entries'] })
    return { as_of: 0, entries: await withIdentityChanges(write, inOrder(before, entries)) }
  })
}

/** Kept entries stay in their order; new ones follow, by id as in the database. */
function inOrder(before: readonly StoredAccessEntry[], entries: readonly StoredAccessEntry[]) {
  const places = new Map(before.map((entry, index) => [subjectOf(entry), index]))
  const place = (entry: StoredAccessEntry) => places.get(subjectOf(entry)) ?? Infinity
  return entries.toSorted(
    (one, other) =>
      place(one) - place(other) || (subjectOf(one).slice(4) < subjectOf(other).slice(4) ? -1 : 1),
  )
}

async function currentList(read: Read, entries: StoredAccessEntry[]): Promise<AccessList> {
  const { access_seq } = await selectCounters(read)
  return { as_of: access_seq, entries: await withIdentityChanges(read, entries) }
}

async function refuseStaleAccess(write: Write, asOf: number | undefined): Promise<void> {
  if (asOf === undefined) return
  const { access_seq: version } = await selectCounters(write)
  if (asOf === version) return
  const detail = `The list is at ${version} now.`
  throw new Failure('version_mismatch', detail, { version, pointer: '/as_of' })
}

/** Each entry has exactly one subject, and each subject one entry. */
function refuseMalformed(entries: NewAccessList['entries']): void {
  const seen = new Set<string>()
  const fieldErrors = entries.flatMap((entry, index): InvalidField[] => {
    const pointer = `/entries/${index}`
    const subjects = [entry.user_id, entry.group_id].filter((id) => typeof id === 'string')
    const [subject = ''] = subjects
    if (subjects.length !== 1) {
      return [{ pointer, code: 'one_subject', detail: 'must have user_id or group_id, not both' }]
    }
    if (seen.has(subject)) {
      return [
        { pointer, code: 'duplicate', detail: 'must be the only entry of its person or group' },
      ]
    }
    seen.add(subject)
    return []
  })
  if (fieldErrors.length > 0) throw invalid(...fieldErrors)
}

/** Checks that each person is on the roster, and that each group exists. */
async function resolveEntries(
  write: Write,
  wanted: NewAccessList['entries'],
): Promise<StoredAccessEntry[]> {
  const userIds = wanted.flatMap(({ user_id }) => user_id ?? [])
  const groupIds = wanted.flatMap(({ group_id }) => group_id ?? [])
  const people = userIds.length === 0 ? [] : await lockPeople(write, userIds)
  const groups = groupIds.length === 0 ? [] : await lockGroups(write, groupIds)
  const granting = new Map([
    ...people.filter(({ status }) => status !== 'departed').map(({ id }) => [id, true] as const),
    ...groups.map(({ id, status }) => [id, status === 'active'] as const),
  ])
  const fieldErrors: InvalidField[] = []
  const entries = wanted.flatMap(({ role, user_id = null, group_id = null }, index) => {
    const is_granting = granting.get(user_id ?? group_id ?? '')
    if (is_granting !== undefined) return [{ role, user_id, group_id, is_granting }]
    const pointer = `/entries/${index}`
    const detail = 'is not the id of a group or of a person on the roster'
    fieldErrors.push({ pointer, code: 'unknown_reference', detail })
    return []
  })
  if (fieldErrors.length > 0) throw invalid(...fieldErrors)
  return entries
}
