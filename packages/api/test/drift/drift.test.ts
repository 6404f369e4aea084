import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

import { findDrift } from './drift.ts'
import { type Fault, testFaults } from './faults.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const today = new Date().toISOString().slice(0, 10)

async function make(path: string, body: object): Promise<Json> {
  const reply = await manager.send('POST', path, { body })
  assert.ok(reply.status < 300, reply.text)
  return reply.body
}

const person = await make('/v1/personnel', { name: 'Ada' })
const project = await make('/v1/projects', { code: 'DAM', name: 'Dam', risk_appetite: 4 })
const here = `/v1/projects/${project.id}`
const marked = { tags: ['flood'], owner_user_id: person.id, review_on: '2020-01-01' }
const rating = { likelihood: 3, impact: 4, inherent: { likelihood: 5, impact: 5 } }
const risk = await make(`${here}/risks`, { title: 'Uplift', ...rating, ...marked })
await make(`${here}/risks`, { title: 'Strike', ...rating })
await make(`${here}/risks/${risk.id}/review`, { note: 'Seen.', review_on: '2020-01-02' })
const accepting = { accepted_by_user_id: person.id, expires_on: '2099-12-31' }
for (const rationale of ['Rare.', 'Rare and cheap.'])
  await make(`${here}/risks/${risk.id}/accept`, { ...accepting, rationale })
await make(`${here}/issues`, { title: 'Crane', severity: 4, due_on: '2020-01-01', tags: ['steel'] })
const solved = await make(`${here}/issues`, { title: 'Gate', severity: 2 })
await make(`${here}/issues/${solved.id}/close`, { close_reason: 'resolved' })
await make(`${here}/tasks`, { title: 'Flush', risk_id: risk.id })
await make(`${here}/tasks`, { title: 'Drain', status: 'done' })

test('finds no drift in a database that only the service wrote to', async () => {
  assert.deepEqual(await findDrift(host.sql, { today }), [])
  assert.deepEqual(await findDrift(host.sql, { today, workspace: home.uuid }), [])
})

const counters = ['people', 'groups', 'projects', 'live_risks', 'open_issues', 'open_tasks']
const kept: [string, string[]][] = [
  ['risk', ['current', 'inherent', 'status', 'owner', 'flag', 'above_appetite', 'project']],
  ['issue', ['severity', 'status', 'assignee', 'cell', 'flag', 'project']],
  ['task', ['status', 'project']],
]
const uplift = `where title = 'Uplift'`

const faults: Fault[] = [
  [
    'a lost acceptance',
    `delete from acceptances where status = 'ended'`,
    /^The acceptance of .* is , /,
  ],
  [
    'an acceptance with another score',
    `update acceptances set impact = 1 where status = 'active'`,
    /^The acceptance of .* history has /,
  ],
  [
    'an acceptance with another status',
    `update acceptances set status = 'expired' where status = 'active'`,
    /^The acceptance of DAM-R1 .* is expired \(\), and should be active/,
  ],
  ...counters.map((name): Fault => [
    `the counter ${name}`,
    `update workspace_counters set ${name} = ${name} + 1`,
    new RegExp(`^The counter ${name} of`),
  ]),
  ...kept.flatMap(([noun, dimensions]) =>
    dimensions.map((dimension): Fault => [
      `the summary count ${noun} ${dimension}`,
      `update summary_counts set count = count + 1
       where noun = '${noun}' and dimension = '${dimension}' and count > 0`,
      new RegExp(`^The summary count ${noun} ${dimension} `),
    ]),
  ),
  [
    'a missing summary count',
    `delete from summary_counts where noun = 'risk' and dimension = 'current'`,
    /^The summary count risk current 34 .* is 0, and there are 2\.$/,
  ],
  [
    'a summary count of no rows',
    `insert into summary_counts select workspace_id, 'risk', project_id, 'target', '11', 1
     from risks ${uplift}`,
    /^The summary count risk target 11 .* is 1, and there are 0\.$/,
  ],
  [
    'a wrong summary count of one project',
    `update summary_counts set count = 7 where dimension = 'owner' and value = 'none'
     and project_id <> '00000000-0000-0000-0000-000000000000'`,
    /^The summary count risk owner none of project/,
  ],
  [
    'a missing index row of a risk',
    `delete from risk_index_rows where kind = 'tag'`,
    /^Of risk_index_rows one is m/,
  ],
  [
    'an index row of a risk with a wrong rank',
    `update risk_index_rows set rank_key = rank_key - 1 where kind = 'flag'`,
    /^Of risk_index_rows one is surplus/,
  ],
  [
    'a missing index row of an issue',
    `delete from issue_index_rows where kind = 'flag'`,
    /^Of issue_index_rows one is missing/,
  ],
  [
    'an index row of a closed issue',
    `insert into issue_index_rows select workspace_id, 'tag', 'x', severity_key, opened_at, id
     from issues where status = 'closed'`,
    /^Of issue_index_rows one is surplus/,
  ],
  [
    'a task with the search text of another',
    `update tasks set search_text = 'eve' where title = 'Drain'`,
    /^The search text of the task .* is eve/,
  ],
  [
    'a missing flag',
    `update risks set flags = array_remove(flags, 'above_appetite') ${uplift}`,
    /^The risk DAM-R1 of .* has the flags {review_overdue}, and should have {above_appetite,/,
  ],
  [
    'an obsolete flag',
    `update projects set risk_appetite = 25`,
    /^The risk DAM-R2 .* has the flags {above_appetite}, and should have {}/,
  ],
  [
    'a missing flag of an issue',
    `update issues set flags = '{}' where title = 'Crane'`,
    /^The issue DAM-I1 .* has the flags {}/,
  ],
  [
    'a missing state at the end of a history',
    `delete from history where noun = 'risk'
       and from_seq = (select max(from_seq) from history where noun = 'risk')`,
    /^risk .* has the version \d+, and its last state is of \d*\./,
  ],
  [
    'a state after the present one',
    `insert into history (workspace_id, noun, id, from_seq, metadata_seq, data)
     select workspace_id, noun, id, from_seq + 1, metadata_seq, data from history
     where noun = 'person'`,
    /^person .* has the version \d+, and its last state is of \d+\./,
  ],
  [
    'a state that refers to the metadata of an earlier one',
    `update history set metadata = null, metadata_seq = metadata_seq - 1 where noun = 'risk'`,
    /^The metadata of risk .* at \d+ are those of \d+, and were last stored at/,
  ],
  [
    'a row without a history',
    `delete from history where noun = 'project'`,
    /^project .* has the version \d+, and its last state is of \./,
  ],
  [
    'a row whose version differs from its history',
    `update issues set version = version - 1 where title = 'Crane'`,
    /^issue .* has the version \d+, and its last state is of \d+/,
  ],
  ['a title', `update risks set title = 'Other' ${uplift}`, /^title of risk .* is "Other", and/],
  [
    'an owner',
    `update risks set owner_user_id = null ${uplift}`,
    /^owner_user_id of risk .* is null, and its history ends in "usr_/,
  ],
  ['tags', `update issues set tags = '{a,b}' where title = 'Gate'`, /^tags of issue/],
  [
    'the day of a target',
    `update risks set target_likelihood = 1, target_impact = 1 ${uplift}`,
    /^target_impact of risk .* is 1, and its history ends in null/,
  ],
  [
    'an instant',
    `update issues set closed_at = closed_at + interval '1 millisecond' where title = 'Gate'`,
    /^closed_at of issue/,
  ],
  ['a name', `update people set name = 'Eve'`, /^name of person .* is "Eve"/],
  ['a health', `update projects set health = 'at_risk'`, /^health of project/],
  [
    'a state without an event',
    `update events set subject_id = gen_random_uuid() where type = 'risk.reviewed'`,
    /^The history of risk .* has a state at \d+ without an event/,
  ],
  [
    'an event without a state',
    `update events set type = 'risk.closed' where type = 'task.created'`,
    /^risk\.closed of .* at \d+ of .* has no state in the history/,
  ],
  [
    'an event of a task without a state',
    `update events set type = 'task.updated', subject_id = (select id from tasks order by id limit 1)
     where seq = (select max(seq) from events) and position = 0`,
    /^task\.updated of .* at \d+ of .* has no state in the history/,
  ],
  [
    'a gap in the sequence numbers of events',
    `delete from events where seq = 3`,
    /^The events of .* are \d+ sequence numbers from/,
  ],
  [
    'a sequence number without an event',
    `update workspace_counters set seq = seq + 1`,
    /^The events of .* sequence numbers from 1 to \d+, and the counter is at \d+/,
  ],
  [
    'a gap in the positions of events',
    `update events set position = 1 where seq = 4`,
    /^The events of .* at 4 have the positions {1}/,
  ],
  [
    'the sequence number of a collection',
    `update workspace_counters set risks_seq = 1`,
    /^The sequence number of risks of .* is 1, and its latest item has \d+/,
  ],
  [
    'a ref that was never assigned',
    `update tasks set ref = 'DAM-T9' where ref = 'DAM-T1'`,
    /^The reference DAM-T9 .* was never assigned/,
  ],
  [
    'a ref of an unknown project',
    `update issues set ref = 'BAY-I1' where ref = 'DAM-I1'`,
    /^The reference BAY-I1 .* was never assigned/,
  ],
  [
    'a duplicate ref',
    `alter table risks drop constraint risks_ref; update risks set ref = 'DAM-R1'`,
    /^The reference DAM-R1 .* exists 2 times/,
  ],
  [
    'a score',
    `alter table risks alter column score drop expression; update risks set score = 13`,
    /^The risk DAM-R1 .* has the score 13/,
  ],
  [
    'a live risk in an archived project',
    `update projects set status = 'archived'`,
    /^DAM-R1 .* is live, and its project is archived/,
  ],
  [
    'a live risk with a closing time',
    `update risks set closed_at = now() ${uplift}`,
    /^DAM-R1 of .* contradicts itself/,
  ],
  [
    'an open issue with a close reason',
    `update issues set close_reason = 'resolved'`,
    /^DAM-I1 of .* contradicts itself/,
  ],
  [
    'a done task without a completion time',
    `update tasks set completed_at = null`,
    /^DAM-T2 of .* contradicts itself/,
  ],
]

testFaults(host, today, faults)

test('ignores the drift of other workspaces', async () => {
  const other = await newWorkspace(host)
  await host.sql.query('update workspace_counters set people = 5 where workspace_id = $1', [
    other.uuid,
  ])
  assert.deepEqual(await findDrift(host.sql, { today, workspace: home.uuid }), [])
  assert.equal((await findDrift(host.sql, { today })).length, 1)
  await host.sql.query('update workspace_counters set people = 0 where workspace_id = $1', [
    other.uuid,
  ])
})
