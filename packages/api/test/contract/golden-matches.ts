import assert from 'node:assert/strict'

import type { Client, Json } from '#test/support/client'
import type { createFixture } from '#test/support/fixture'

type Fixture = Awaited<ReturnType<typeof createFixture>>

/** Rows that find their records, and name people, by what others call them. */
export async function sendMatched(manager: Client, { fill }: Fixture): Promise<void> {
  const send: Send = async (path, data) => {
    const { status, body, text } = await manager.post(fill(path), { data })
    assert.equal(status, 200, text)
    return body.data
  }
  const boss = { name: 'Boss', email: 'golden.boss@example.com', external_id: 'golden-boss' }
  const report = { name: 'Report', email: 'golden.report@example.com' }
  await send('/v1/personnel/batch?match=external_id', [boss])
  await send('/v1/personnel/batch?match=external_id&missing=report', [boss])
  await send('/v1/personnel/batch?match=email', [{ ...report, manager_email: boss.email }])
  await send('/v1/personnel/batch?match=email', [{ ...report, manager_external_id: 'golden-boss' }])
  await send('/v1/personnel/batch?match=email', [{ ...report, manager_email: null }])
  const risk = { title: 'Any', likelihood: 1, impact: 1, owner_email: boss.email }
  const issue = { title: 'Any', severity: 1, assignee_external_id: boss.external_id }
  const own = { external_id: 'golden' }
  for (const [noun, row] of Object.entries({ risks: risk, issues: issue })) {
    const path = `/v1/projects/{project_id}/${noun}`
    await send(`${path}/batch?match=external_id`, [{ ...row, ...own }])
    const [{ ref }] = (await manager.get(`/v1/${noun}?external_id=golden`)).body.data
    await send(`${path}/batch?match=ref`, [{ ref, title: 'Other' }])
  }
  await sendAcrossProjects(send, boss)
}

type Send = (path: string, data: readonly Json[]) => Promise<Json[]>

/** Rows of several projects, which name their projects and each other by code and reference. */
async function sendAcrossProjects(send: Send, { email }: Json): Promise<void> {
  const project = { code: 'GOLDEN', name: 'Any', external_id: 'golden', owner_email: email }
  await send('/v1/projects/batch?match=code', [project])
  await send('/v1/projects/batch?match=external_id', [{ ...project, risk_appetite: 4 }])
  const named = { title: 'Any', project_code: 'GOLDEN', external_id: 'golden-across' }
  const risk = { ...named, likelihood: 1, impact: 1, owner_email: email }
  const task = { ...named, assignee_email: email, risk_ref: 'GOLDEN-R1' }
  const rows = { risks: risk, issues: { ...named, severity: 1 }, tasks: task }
  for (const [noun, row] of Object.entries(rows)) {
    const letter = noun.slice(0, 1).toUpperCase()
    await send(`/v1/projects/${noun}/batch?match=external_id`, [row])
    const again = [{ ref: `GOLDEN-${letter}1`, title: 'Other' }]
    const [{ id }] = await send(`/v1/projects/${noun}/batch?match=ref`, again)
    await send(`/v1/projects/${noun}/batch`, [{ id, title: 'Another' }])
  }
  await send('/v1/projects/tasks/batch?match=external_id', [
    { ...task, risk_ref: null, issue_ref: 'GOLDEN-I1' },
  ])
}

/** A search with a reference, with a code, and with words, each of which finds something. */
export async function sendSearches(client: Client): Promise<void> {
  for (const q of ['golden-r1', 'golden-i1', 'golden-t1', 'golden', 'any', 'boss']) {
    const { status, text } = await client.get(`/v1/search?q=${q}`)
    assert.equal(status, 200, text)
  }
}

/** The event log with the states, after a position, and waiting for the next event. */
export async function readEvents(client: Client): Promise<void> {
  const first = await client.get('/v1/events?limit=100&include=states')
  assert.equal(first.status, 200, first.text)
  const next = await client.get(`/v1/events?after=${first.body.position}`)
  assert.equal(next.status, 200, next.text)
  const waited = await client.get('/v1/events?after=now', { prefer: 'wait=1' })
  assert.equal(waited.status, 200, waited.text)
}
