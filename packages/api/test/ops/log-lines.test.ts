import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from '#test/support/client'
import { type Running, startProcess } from '#test/support/process'
import { newWorkspace, startHost } from '#test/support/workspace'

import { readMetrics } from './metrics-urls.ts'

const host = await startHost()
const home = await newWorkspace(host)
const info = await startProcess(host.url, { DRAIN_SECONDS: '8' })
const debug = await startProcess(host.url, { LOG_LEVEL: 'debug' })

/** Level and request of each request log line. */
const asked = (service: Running) =>
  service
    .log()
    .split('\n')
    .filter((line) => line.includes('"is_complete"'))
    .map((line) => JSON.parse(line))
    .map(({ level, operation, route, status }) => `${level} ${operation ?? route} ${status}`)

async function untilLogged(service: Running, line: string): Promise<void> {
  for (let tries = 0; !asked(service).includes(line); tries++) {
    assert.ok(tries < 500, `${line} is not among ${asked(service).join(', ')}`)
    await sleep(20)
  }
}

/** Sends health checks, then another request, whose log line marks the end of theirs. */
async function ask(service: Running): Promise<void> {
  const client = new Client(service.base, home.stranger.token)
  for (const path of ['/livez', '/readyz', '/livez?x=1']) {
    assert.equal((await client.get(path)).status, 200)
    assert.equal((await client.send('HEAD', path)).status, 200)
  }
  for (const path of ['/problems/bad_json', '/about', '/nothing', '/v1/risks']) {
    await client.get(path)
  }
  await untilLogged(service, '30 risks.list 401')
}

const others = ['30 /problems/:code 200', '30 /about 200', '30 none 404', '30 risks.list 401']

test('logs other requests at info level, by operation or by the pattern of the path', async () => {
  await ask(info)
  assert.deepEqual(asked(info), others)
  assert.ok(!info.log().includes('bad_json'), 'the path is not logged')
})

test('logs health checks at debug level', async () => {
  await ask(debug)
  const checks = ['20 /livez 200', '20 /livez 200', '20 /readyz 200', '20 /readyz 200']
  assert.deepEqual(asked(debug), [...checks, '20 /livez 200', '20 /livez 200', ...others])
})

test('keeps health checks out of the histogram', async () => {
  const text = await readMetrics(info.base)
  const counts = text
    .split('\n')
    .filter((line) => line.startsWith('muster_http_request_duration_seconds_count'))
  assert.deepEqual(counts.toSorted(), [
    'muster_http_request_duration_seconds_count{operation="none",status="200"} 2',
    'muster_http_request_duration_seconds_count{operation="none",status="404"} 1',
    'muster_http_request_duration_seconds_count{operation="risks.list",status="401"} 1',
  ])
})

test('logs a health check that fails at info level', async () => {
  info.process.kill('SIGTERM')
  const client = new Client(info.base, null)
  let status = 200
  while (status === 200) ({ status } = await client.get('/readyz'))
  assert.equal(status, 503)
  await untilLogged(info, '30 /readyz 503')
})
