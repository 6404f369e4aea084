import {
  type Key,
  limits,
  type NewPersonalKey,
  type NewSecret,
  type PersonalKeyList,
} from '@muster/contract'

import { type Caller, personOf } from '#domain/engine/caller'
import { refuseStale } from '#domain/engine/change'
import { Failure } from '#domain/engine/failure'
import { later } from '#domain/rules/time'
import { selectKeysOfPerson } from '#storage/nouns/personal-keys'
import { selectWorkspace } from '#storage/nouns/workspace'

import { expiryOf } from './key-limits.ts'
import { refuseUnboundScopes, refuseUnknownProjects } from './key-projects.ts'
import {
  issueKey,
  keyNotFound,
  lockExistingKey,
  markRevoked,
  presentKey,
  readCurrentTime,
  refuseScopesNotHeld,
} from './key.ts'
import { refuseInvalidNetworks, withSecret } from './keys.ts'

export function listPersonalKeys(caller: Caller<'person'>): Promise<PersonalKeyList> {
  const userId = personOf(caller)
  return caller.database.read(caller, async (read) => {
    const [keys, now] = await Promise.all([selectKeysOfPerson(read, userId), readCurrentTime(read)])
    return { data: keys.map((key) => inView(caller, presentKey(key, now))) }
  })
}

/** The keys of a person may be bound to projects that this one does not show. */
const inView = ({ view }: Caller<'person'>, key: Key): Key => ({
  ...key,
  project_ids: key.project_ids && key.project_ids.filter((id) => view.shows(id)),
})

/** Creates a key that acts as the person who is signed in. Its rights never exceed theirs. */
export function addPersonalKey(
  caller: Caller<'person'>,
  input: NewPersonalKey,
): Promise<NewSecret> {
  const { name, scopes, allowed_cidrs: allowedCidrs = [], expires_in_days: days } = input
  const { project_ids: projectIds = null } = input
  const userId = personOf(caller)
  refuseScopesNotHeld(caller, scopes)
  refuseUnboundScopes(projectIds, scopes)
  refuseInvalidNetworks(allowedCidrs)
  return withSecret(caller, async (write) => {
    const own = await selectKeysOfPerson(write, userId)
    if (own.length >= limits.personalKeysMax) {
      const detail = `You have ${own.length} personal keys. Revoke one first.`
      throw new Failure('quota_exceeded', detail, { quota: 'personal_keys', limit: own.length })
    }
    const daysMax = (await selectWorkspace(write)).policies.key_days_max
    const defaultDays = Math.min(limits.keyDays.default, daysMax ?? Infinity)
    const defaultEnd = later(write.now, defaultDays, 'days')
    const expiresAt = expiryOf(days, defaultEnd, { now: write.now, daysMax, latest: null })
    await refuseUnknownProjects(write, caller, projectIds)
    return issueKey(write, caller, { name, scopes, allowedCidrs, projectIds, expiresAt, userId })
  })
}

export function revokePersonalKey(caller: Caller<'person'>, id: string): Promise<Key> {
  const userId = personOf(caller)
  return caller.database.write(caller, async (write) => {
    const key = await lockExistingKey(write, id)
    if (key.user_id !== userId) throw keyNotFound(id)
    if (key.revoked_at === null) refuseStale(caller, key)
    return inView(caller, presentKey(markRevoked(write, caller, key), write.now))
  })
}
