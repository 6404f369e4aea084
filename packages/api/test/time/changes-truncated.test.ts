import assert from 'node:assert/strict'
import { test } from 'node:test'

import { insertIssues, insertProjects, nextUuid } from '#test/support/bulk'
import { isLong } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { numberOf } from './changes-history.ts'

const host = await startHost({ skipsDriftCheck: true })

const opened_at = '2026-01-01T00:00:00Z'

type Home = Awaited<ReturnType<typeof newWorkspace>>

/** Inserts issues with an event for each, as one write. */
async function editIssues(home: Home, count: number, title: string): Promise<void> {
  const projects = await insertProjects(host.sql, home.uuid, 1)
  const common = { project: 0, severity: 1, status: 'open', assignee: null, opened_at, title }
  const issues = Array.from({ length: count }, () => ({ ...common, id: nextUuid() }))
  await insertIssues(host.sql, { uuid: home.uuid, projects }, issues)
  await host.sql.query(
    `with write as (
       update workspace_counters set seq = seq + 1, issues_seq = seq + 1 where workspace_id = $1
       returning seq
     )
     insert into events (workspace_id, seq, position, id, type, subject_id, project_id, actor_type,
       occurred_at)
     select $1, write.seq, n - 1, gen_random_uuid(), 'issue.updated', id, $2, 'system', now()
     from write, unnest($3::uuid[]) with ordinality as t (id, n)`,
    [home.uuid, projects[0], issues.map(({ id }) => id)],
  )
}

test('is truncated after 5000 entries, and CSV is refused then', async () => {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const since = await numberOf(host, home.uuid)
  await editIssues(home, 5001, 'Crane')
  const changes = `/v1/changes?since=${since}`
  const { status, text, body } = await manager.get(changes)
  assert.equal(status, 200, text)
  assert.deepEqual([body.is_truncated, body.issues.edited.length], [true, 5000])
  assert.deepEqual([body.figures.issues_opened, body.figures.after.issues_open], [null, 5001])
  const csv = await manager.get(`${changes}&format=csv`)
  assert.deepEqual([csv.status, csv.body.parameter], [400, 'format'])
  const none = await manager.get(`${changes}&owner_user_id=usr_01ktrr9d3hen4v9q9t9m2g8x5c`)
  assert.deepEqual([none.body.is_truncated, none.body.issues.edited], [false, []])
})

test('is truncated after 200 000 steps', { skip: !isLong }, async () => {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const since = await numberOf(host, home.uuid)
  await editIssues(home, 1, 'Gate')
  await host.sql.query(
    `insert into events (workspace_id, seq, position, id, type, subject_id, project_id, actor_type,
       occurred_at)
     select workspace_id, seq, n, gen_random_uuid(), type, subject_id, project_id, actor_type,
       occurred_at
     from (
       select workspace_id, seq + n / 20000 as seq, (n % 20000)::smallint as n, type, subject_id,
         project_id, actor_type, occurred_at
       from events, generate_series(20000, 219999) as n
       where workspace_id = $1 and seq = $2
     ) as steps`,
    [home.uuid, since + 1],
  )
  const update = 'update workspace_counters set seq = seq + 10 where workspace_id = $1'
  await host.sql.query(update, [home.uuid])
  const { body, text } = await manager.get(`/v1/changes?since=${since}&until=${since + 11}`)
  assert.equal(body.is_truncated, true, text.slice(0, 500))
  assert.equal(body.issues.edited[0].step_count, 200_000)
})
