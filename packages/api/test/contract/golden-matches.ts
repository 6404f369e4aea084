import assert from 'node:assert/strict'

import type { Client, Json } from '#test/support/client'
import type { createFixture } from '#test/support/fixture'

type Fixture = Awaited<ReturnType<typeof createFixture>>

/** Rows that find their records, and name people, by what others call them. */
export async function sendMatched(manager: Client, { fill }: Fixture): Promise<void> {
  const send = async (path: string, data: readonly Json[]) => {
    const { status, text } = await manager.post(fill(path), { data })
    assert.equal(status, 200, text)
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
}
