import assert from 'node:assert/strict'

import { limits, type Whoami } from '@muster/contract'

import { quotasOf, selectCounters } from '#storage/engine/counters'
import { selectKey } from '#storage/nouns/keys'
import { selectPerson, type StoredPerson } from '#storage/nouns/personnel'
import { selectWorkspace } from '#storage/nouns/workspace'

import type { Caller } from './caller.ts'
import { readCurrentTime, presentKey } from './key.ts'

const presentPerson = ({ id, name, email }: StoredPerson) => ({ user_id: id, name, email })

export function whoami(caller: Caller<'any_principal'>): Promise<Whoami> {
  const { actor, roles, scopes, session, rates = limits.perMinute } = caller
  return caller.database.read(caller, async (read) => {
    const [key, person, { id, name, time_zone }, counters, now] = await Promise.all([
      actor.type === 'key' && actor.id !== null ? selectKey(read, actor.id) : null,
      actor.user_id === null ? null : selectPerson(read, actor.user_id),
      selectWorkspace(read),
      selectCounters(read),
      readCurrentTime(read),
    ])
    assert(key !== null || person !== null, 'a principal is a key or a person')
    const { quota, usage } = quotasOf(counters)
    return {
      principal: actor,
      scopes: [...scopes],
      roles: [...roles],
      key: key === null ? null : presentKey(key, now),
      person: person === null ? null : presentPerson(person),
      session,
      workspace: { id, name, time_zone },
      limits: {
        page_size_max: limits.page.max,
        body_bytes_max: limits.bodyBytesMax,
        batch_bytes_max: limits.batchBytesMax,
        batch_rows_max: limits.itemsMax,
        complete_streams: limits.completeStreamsPerKey,
        requests_per_minute: rates.key,
        workspace_requests_per_minute: rates.workspace,
        quota,
      },
      usage,
    }
  })
}
