import assert from 'node:assert/strict'
import { test } from 'node:test'

import { listAudit } from '#domain/auth/audit'
import { failedSignIn, RefusalLog } from '#domain/auth/refusal-log'
import { sentDuring } from '#test/support/statements'

import { intendedPlanOf } from './plan.ts'
import {
  assertBound,
  assertNoScan,
  besides,
  isChange,
  isRead,
  type Large,
  rowsOf,
} from './plans.ts'

/** Tests of the audit log: programs that follow it, and refusals. */
export function testAudit({ host, home, plansOf }: Omit<Large, 'variants' | 'caller'>): void {
  test('audit: a page that follows the log reads few buffers, first and deep', async (t) => {
    const { follow } = listAudit(home.admin, {})
    assert.ok(follow)
    const limit = rowsOf('audit.list')
    const { position } = await follow({ after: 'beginning', limit: 1000 })
    const seen: string[] = []
    for (const after of ['beginning', position, 'now']) {
      const sent = await sentDuring(() => follow({ after, limit }))
      for (const plan of await plansOf(sent.filter(isRead))) {
        const most = plan.statement.sql.includes('with ordinality') ? limit + 50 : besides
        assertBound(plan, most)
        seen.push(`${plan.buffers} of ${most}`)
      }
    }
    assert.ok(seen.length >= 12, 'two statements and the counters, with two plans each')
    t.diagnostic(`${seen.join(', ')} buffers`)
  })

  test('audit: a refusal is added, and the oldest are found, by an index', async () => {
    const log = new RefusalLog(host.owner)
    const origin = { network: '203.0.113.0/24', userAgent: null }
    const sent = await sentDuring(async () => {
      log.record(failedSignIn({ workspaceId: home.id, reason: 'link_refused', origin }))
      await log.endMinute()
    })
    const changes = sent.filter(isChange)
    assert.equal(changes.length, 2)
    for (const plan of await plansOf(changes, intendedPlanOf)) {
      assertNoScan(plan)
      const entered = plan.entered.filter(({ table }) => table === 'audit_entries')
      for (const { condition } of entered)
        assert.match(condition, /is_anonymous|\bid = /, plan.text)
    }
  })
}
