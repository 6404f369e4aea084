import assert from 'node:assert/strict'

import { type Key, limits, type Scope, type Whoami } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { Failure } from '#domain/failure'
import { refuseOverQuota } from '#domain/quota'
import { issueToken, readToken } from '#domain/token'
import { selectCounters } from '#storage/counters'
import type { Database } from '#storage/database'
import {
  insertKey,
  lockKey,
  revokeKey as markRevoked,
  selectKey,
  selectKeyIdByHash,
  selectKeys,
  type StoredKey,
} from '#storage/keys'
import { selectWorkspace } from '#storage/workspaces'

export interface KeyWish {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Null: it never expires. */
  readonly expiresInHours: number | null
}

/** Makes a key. Its secret is in the answer and nowhere else. */
export async function createKey(caller: Caller<'keys.manage'>, wish: KeyWish) {
  const { token, hash, hint } = issueToken(caller.workspaceId)
  const { name, scopes, expiresInHours } = wish
  const id = await caller.database.write(caller, async (write) => {
    refuseOverQuota(write, 'keys')
    const key = write.newId('key')
    const expires_at = expiresInHours === null ? null : hoursAfter(write.now, expiresInHours)
    insertKey(write, { id: key, name, scopes, hash, hint, expires_at })
    write.record({ type: 'key.created', subject: key })
    return key
  })
  return { id, token }
}

const hoursAfter = (instant: string, hours: number) =>
  new Date(Date.parse(instant) + hours * 3_600_000).toISOString()

export function listKeys(caller: Caller<'keys.read'>): Promise<Key[]> {
  return caller.database.read(caller, async (read) => (await selectKeys(read)).map(presentKey))
}

/** Which key this is, for whoever found it lying about. Null when it is none of ours. */
export async function identifyKey(database: Database, token: string) {
  const read = readToken(token)
  if (read === null) return null
  const { workspaceId, hash } = read
  const keyId = await database.read({ workspaceId }, (each) => selectKeyIdByHash(each, hash))
  return keyId === null ? null : { workspaceId, keyId }
}

/** From the next request on the key is refused. Revoking it again changes nothing. */
export function revokeKey(caller: Caller<'keys.manage'>, id: string): Promise<void> {
  return caller.database.write(caller, async (write) => {
    const key = await lockKey(write, id)
    if (key === null) throw new Failure('not_found', `There is no key ${id} in this workspace.`)
    if (key.revoked_at !== null) return
    markRevoked(write, id)
    write.record({ type: 'key.revoked', subject: id })
  })
}

export function whoami(caller: Caller<'any_key'>): Promise<Whoami> {
  return caller.database.read(caller, async (read) => {
    const [key, workspace, counters] = await Promise.all([
      selectKey(read, caller.actor.id ?? ''),
      selectWorkspace(read),
      selectCounters(read),
    ])
    assert(key && workspace, 'a caller with a valid key has a key and a workspace')
    const { people, groups, projects, live_risks, open_issues, open_tasks, keys } = counters
    return {
      key: presentKey(key),
      workspace,
      limits: {
        page_size_max: limits.page.max,
        body_bytes_max: limits.bodyBytesMax,
        batch_bytes_max: limits.batchBytesMax,
        batch_rows_max: limits.itemsMax,
        complete_streams: limits.completeStreamsPerKey,
        quota: {
          people: counters.people_max,
          groups: counters.groups_max,
          projects: counters.projects_max,
          live_risks: counters.live_risks_max,
          open_issues: counters.open_issues_max,
          open_tasks: counters.open_tasks_max,
          keys: counters.keys_max,
        },
      },
      usage: { people, groups, projects, live_risks, open_issues, open_tasks, keys },
    }
  })
}

function presentKey(key: StoredKey): Key {
  return {
    id: key.id,
    name: key.name,
    // The cast holds because only scopes of the contract are ever given to a key.
    scopes: key.scopes as Scope[],
    status: key.status,
    hint: key.hint,
    created_at: key.created_at,
    expires_at: key.expires_at,
    last_used_at: key.last_used_at,
  }
}
