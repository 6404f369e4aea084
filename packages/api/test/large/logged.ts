/** The event log of the full workspace: a million events with their states, scaled. */

import { at, full, projectOf, scale, uuid, uuidAt, when } from './spread.ts'

/** The number before that of the first event. */
export const loggedAfter = 10_000_000
export const logged = 1_000_000 * scale
const firstId = 600_000_000

/** Each item has ten events or more. Those of other tests, the first of each kind, have none. */
const firstItem = 1000
const items = full.risks - firstItem

/** The noun of an item is always the same, because the number of items is divisible by ten. */
const entry = `(
  select home, workspace_id, n, ${loggedAfter} + 1 + n as seq,
    ${loggedAfter} + 1 + n % ${items} as first_seq, ${firstItem} + n * 7919 % ${items} as item,
    case when n % 10 < 6 then 'risk' when n % 10 < 8 then 'issue' when n % 10 = 8 then 'task'
      else 'person' end as noun
  from generate_series(0::bigint, ${logged - 1}) as s (n) join homes on home = 0
) as entry, lateral (
  select case noun when 'risk' then ${uuidAt('risks', 'item')}
    when 'issue' then ${uuidAt('issues', 'item')} when 'task' then ${uuidAt('tasks', 'item')}
    else ${uuidAt('people', 'item')} end as subject_id
) as about`

export const loggedEvents = `
  select workspace_id, seq, 0, ${uuid(`${firstId} + n`)},
    case when n % 10 = 5 then 'risk.reviewed' else noun || '.updated' end, subject_id,
    ${when(`noun <> 'person'`, uuidAt('projects', `(${projectOf('item')})`))}, 'system', ${at}
  from ${entry}`

/** One change in ten changes the metadata. */
export const loggedStates = `
  select workspace_id, noun, subject_id, seq, first_seq,
    ${when('seq = first_seq', `jsonb_build_object('source', n::text)`)},
    jsonb_build_object('id', subject_id, 'title', 'State ' || n,
      'description', repeat(md5(n::text), 10))
  from ${entry}`
