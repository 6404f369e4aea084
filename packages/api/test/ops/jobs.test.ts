import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { jobsVersion } from '#storage/migration/jobs-schema'
import { migrate } from '#storage/migration/migrate'
import { size } from '#test/support/size'
import { startHost } from '#test/support/workspace'

import { assertSweptOnce, fill, slowFlags, startWorkers, stop, untilMore } from './jobs.ts'

async function slowHost() {
  const host = await startHost()
  await host.sql.query(slowFlags())
  return host
}

const rounds = size(1, 20)

test(`sets every flag once when workers are killed and frozen (${rounds} of each)`, async () => {
  const host = await slowHost()
  const risks = await fill(host, size(8, 120), 40)
  const workers = await startWorkers(host, 2)
  const thaws: Promise<void>[] = []
  for (let round = 0; round < rounds; round++) {
    await untilMore(host)
    workers.shift()?.kill('SIGKILL')
    const frozen = workers.shift()
    frozen?.kill('SIGSTOP')
    thaws.push(sleep(size(20_000, 60_000)).then(() => void frozen?.kill('SIGCONT')))
    workers.push(...(await startWorkers(host, 2)))
  }
  await Promise.all(thaws)
  await assertSweptOnce(host, risks)
})

test('loses nothing when the tables of the jobs are dropped and made again', async () => {
  const host = await slowHost()
  const risks = await fill(host, 8, 40)
  const workers = await startWorkers(host, 2)
  await untilMore(host)
  await host.sql.query('drop schema pgboss cascade')
  await untilMore(host)
  assert.deepEqual(await migrate(host.url), ['pgboss'])
  await assertSweptOnce(host, risks)
  await Promise.all(workers.map(stop))
})

test('a worker that ends leaves its jobs to another one at once', async () => {
  const host = await slowHost()
  const risks = await fill(host, 4, 40)
  const [first] = await startWorkers(host, 1)
  assert.ok(first)
  await untilMore(host)
  const began = performance.now()
  await stop(first)
  const seconds = (performance.now() - began) / 1000
  assert.ok(seconds < 10, `the worker ended after ${seconds} s`)
  const { rows } = await host.sql.query(
    `select count(*)::int from pgboss.job where name = 'sweep' and state = 'active'`,
  )
  assert.equal(rows[0].count, 0, 'no job is active')
  await startWorkers(host, 1)
  await assertSweptOnce(host, risks)
})

test('the tables are those of this version of pg-boss', () => {
  const path = createRequire(import.meta.url).resolve('pg-boss')
  const text = readFileSync(new URL('../package.json', new URL(`file://${path}`)), 'utf8')
  assert.equal(JSON.parse(text).pgboss.schema, jobsVersion)
})
