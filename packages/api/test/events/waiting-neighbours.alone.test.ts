import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { createCertificate, trustCertificate } from '@muster/testing/certificate'
import { measure } from '@muster/testing/measure'

import { ProviderBrowser, publicUrl } from '#test/auth/provider/provider-browser'
import { newPerson, startProviderHost } from '#test/auth/provider/provider-host'
import { startTarget } from '#test/egress/targets'
import { Client } from '#test/support/client'
import { longTimeouts } from '#test/support/long-timeouts'
import { isLong } from '#test/support/size'
import { timed } from '#test/support/watch'
import { listen, newWorkspace } from '#test/support/workspace'

import { crowd, joinAll, untilFollowing } from './crowds.ts'

const silentHost = '127.0.0.2'
const certificate = createCertificate('IP:127.0.0.1', `IP:${silentHost}`)
trustCertificate(certificate)
const { host, home, manager, newAccount, configure } = await startProviderHost()
const egress = { allow: ['127.0.0.0/8'] }
const base = await listen(host.url, { publicUrl, egress, timeouts: longTimeouts })

/** The median time of a read of a workspace that does nothing else. */
async function readMs(): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < 100; count++) {
    const { status, ms } = await timed(new URL('/v1/projects?limit=1', base), {
      headers: { authorization: `Bearer ${manager.token}` },
    })
    assert.equal(status, 200)
    times.push(ms)
  }
  return times.toSorted((a, b) => a - b)[50] ?? 0
}

test('a silent provider and many waiting requests leave the service to others', async (t) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const provider = { asked: 0 }
  const { port } = await startTarget({
    host: silentHost,
    certificate,
    answer: (_request, response) => {
      provider.asked += 1
      void opened.then(() => response.end())
    },
  })
  const slow = await newWorkspace(host)
  const attacker = new Client(base, (await slow.manager()).token)
  await configure(attacker, { issuer: `https://${silentHost}:${port}` })
  const crowds = await Promise.all(Array.from({ length: isLong ? 5 : 1 }, () => crowd(host, 200)))
  const account = newAccount(await newPerson(manager))
  const calmMs = await readMs()

  const followers = joinAll(crowds, [base], 'now')
  const attempts = Array.from({ length: 20 }, () => new ProviderBrowser(base, slow.id, 'x').start())
  await untilFollowing([base], followers.length)
  for (let tries = 0; provider.asked === 0; tries++) {
    assert.ok(tries < 500, 'the provider is asked')
    await sleep(20)
  }
  const besideMs = await readMs()
  const { location } = await new ProviderBrowser(base, home.id, account).signIn()
  assert.equal(location, '/')
  open()
  await Promise.all(attempts)
  for (const { writer } of crowds) await writer.post('/v1/personnel', { name: 'Mara' })
  for (const { body } of await Promise.all(followers)) assert.equal(body.count, 1)
  t.diagnostic(`beside ${followers.length} waiting requests`)
  const value = besideMs / calmMs
  measure(t, 'median of reads of another workspace', { value, unit: '× calm', atMost: 3 })
})
