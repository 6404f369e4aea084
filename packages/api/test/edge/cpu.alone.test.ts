import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import { limits, type Operation, scopes } from '@muster/contract'
import { measure } from '@muster/testing/measure'

import { worstBatches, worstBodies } from '#test/contract/worst-bodies'
import { Client } from '#test/support/client'
import { exampleFor, createFixture } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { startProcess } from '#test/support/process'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const { token } = await (await newWorkspace(host)).issue({ scopes })
const service = await startProcess(host.url)
const manager = new Client(service.base, token)
const fixture = await createFixture(manager)
const budgetMs = 20

/** CPU time of the event loop thread, independent of other load on the machine. */
const cpuMs = () =>
  Number(readFileSync(`/proc/${service.process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

async function costOf({ method, path }: Operation, body: string): Promise<number> {
  const before = cpuMs()
  const { status, text } = await manager.send(method, fixture.fill(path), { body })
  assert.ok(status >= 400 && status < 500, `${status} ${text.slice(0, 300)}`)
  return cpuMs() - before
}

/** The minimum of up to three measurements, without garbage collection and compilation. */
async function minimumCost(operation: Operation, body: string, allowedMs: number): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < 3 && least > allowedMs / 2; tries++) {
    least = Math.min(least, await costOf(operation, body))
  }
  return least
}

const writes = keyOperations().filter(({ operation }) => operation.body)

for (const { name, operation } of writes) {
  test(`${name}: processes any body of 64 KiB within ${budgetMs} ms of CPU time`, async (t) => {
    let [worst, worstMs] = ['', 0]
    for (const [what, body] of worstBodies(operation)) {
      assert.ok(Buffer.byteLength(body) <= limits.bodyBytesMax, what)
      const ms = await minimumCost(operation, body, budgetMs)
      if (ms > worstMs) [worst, worstMs] = [what, ms]
    }
    assert.ok(worstMs > 0, 'the time was measured')
    measure(t, `CPU for ${worst}`, { value: worstMs, atMost: budgetMs })
  })
}

for (const { name, operation } of writes.filter(({ operation: { rows } }) => rows).slice(0, 1)) {
  test(`${name}: processes 4 MiB at the same cost per byte as bodies of 64 KiB`, async (t) => {
    const bodies = worstBatches(operation)
    const row = exampleFor(operation, fixture).data[0]
    const wide = { ...row, metadata: { key: 'x'.repeat(3800) } }
    const rows = { data: Array.from({ length: limits.itemsMax }, () => wide) }
    bodies.set('1000 invalid rows', JSON.stringify(rows))
    const allowed = budgetMs * (limits.batchBytesMax / limits.bodyBytesMax)
    let [worst, worstMs] = ['', 0]
    for (const [what, body] of bodies) {
      const ms = await minimumCost(operation, body, allowed)
      if (ms > worstMs) [worst, worstMs] = [what, ms]
    }
    measure(t, `CPU for ${worst}`, { value: worstMs, atMost: allowed })
  })
}
