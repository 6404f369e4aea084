import assert from 'node:assert/strict'

import { limits, type Whoami } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { momentOf, presentKey } from '#domain/key'
import { selectCounters } from '#storage/counters'
import { selectKey } from '#storage/keys'
import { selectWorkspace } from '#storage/workspace'

export function whoami(caller: Caller<'any_key'>): Promise<Whoami> {
  const { rates = limits.perMinute } = caller
  return caller.database.read(caller, async (read) => {
    const [key, { id, name, time_zone }, counters, now] = await Promise.all([
      selectKey(read, caller.actor.id ?? ''),
      selectWorkspace(read),
      selectCounters(read),
      momentOf(read),
    ])
    assert(key, 'a caller with a valid key has a key')
    const { people, groups, projects, live_risks, open_issues, open_tasks, keys } = counters
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
