import assert from 'node:assert/strict'

import { limits, type Whoami } from '@muster/contract'

import { quotasOf, selectCounters } from '#storage/engine/counters'
import { selectKey } from '#storage/nouns/keys'
import { selectWorkspace } from '#storage/nouns/workspace'

import type { Caller } from './caller.ts'
import { readCurrentTime, presentKey } from './key.ts'

export function whoami(caller: Caller<'any_key'>): Promise<Whoami> {
  const { rates = limits.perMinute } = caller
  return caller.database.read(caller, async (read) => {
    const [key, { id, name, time_zone }, counters, now] = await Promise.all([
      selectKey(read, caller.actor.id ?? ''),
      selectWorkspace(read),
      selectCounters(read),
      readCurrentTime(read),
    ])
    assert(key, 'a caller with a valid key has a key')
    const { quota, usage } = quotasOf(counters)
    return {
      key: presentKey(key, now),
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
