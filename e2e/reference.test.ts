import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Frame, Request } from 'playwright-core'

import { assertNoErrors, openPage, signIn, startEnvironment } from './support/environment.ts'
import { screenshot } from './support/screenshots.ts'

const env = await startEnvironment()

/** Scalar renders for a long time on a busy machine. */
const waitMs = 180_000

test('the API reference calls an operation with the typed key, and without the session', async () => {
  const session = await signIn(env, env.keys.manager, { isFresh: true })
  const { page } = session
  page.setDefaultTimeout(waitMs)
  const sent: Request[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/personnel')) sent.push(request)
  })
  await page.goto(`${env.base}/docs/api#tag/personnel/GET/v1/personnel`)
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Bearer Token').first().fill(env.keys.manager)
  await frame.getByRole('button', { name: 'Test Request (get /v1/personnel)' }).click()
  const client = frame.getByRole('dialog')
  await client.getByRole('button', { name: /^Send get request to/ }).click()
  await client.getByText('200 OK').first().waitFor()
  await screenshot(page, 'reference')
  const [request] = sent
  assert.ok(request)
  const headers = await request.allHeaders()
  assert.equal(headers['authorization'], `Bearer ${env.keys.manager}`)
  assert.equal(headers['cookie'], undefined, 'no session')
  const cookies = await page.context().cookies()
  assert.ok(
    cookies.some(({ name }) => name === '__Host-muster_session'),
    'there is a session',
  )
  assertNoErrors(session)
})

/** Runs hostile code as a script of Scalar would run. Returns the result, or the error. */
const attack = (frame: Frame, code: string) =>
  frame.evaluate<string>(`(async () => { try { return String(await (${code})) }
    catch (error) { return error.name } })()`)

const call = "{ headers: { 'muster-console': '1' }, credentials: 'include' }"
const status = '.then(({ status }) => status)'

test('scripts of the API reference cannot use the session', async () => {
  const { page } = await signIn(env, env.keys.manager, { isFresh: true })
  page.setDefaultTimeout(waitMs)
  const whoami = () => page.evaluate<number>(`fetch('/v1/whoami', ${call})${status}`)
  assert.equal(await whoami(), 200, 'the console has a session')
  await page.goto(`${env.base}/docs/api`)
  await page.frameLocator('iframe').getByText('/v1/personnel').first().waitFor()
  const frame = page.frames().find((each) => each.url().includes('/docs/api/frame'))
  assert.ok(frame)
  const results = {
    'the page sends no cookie': [`fetch('/v1/whoami', ${call})${status}`, '401'],
    'the page sends only to the API': [`fetch('/session', { method: 'DELETE' })`, 'TypeError'],
    'the frame sends nothing itself': [
      `new Promise((resolve, reject) => {
        const request = new XMLHttpRequest()
        request.open('GET', '/v1/whoami')
        request.setRequestHeader('muster-console', '1')
        request.onload = () => resolve(request.status)
        request.onerror = () => reject(new TypeError())
        request.send()
      })`,
      'TypeError',
    ],
    'the frame has no cookies': ['document.cookie', 'SecurityError'],
    'the frame does not reach the page': ['parent.document.body', 'SecurityError'],
    'the frame does not leave': [`top.location.assign('/')`, 'SecurityError'],
    'the frame opens no window': [`window.open('/')`, 'null'],
  }
  for (const [what, [code = '', expected]] of Object.entries(results)) {
    assert.equal(await attack(frame, code), expected, what)
  }
  const { page: alone } = await openPage(env)
  await alone.goto(`${env.base}/docs/api/frame`)
  assert.equal(await alone.evaluate('self.origin'), 'null', 'also when it is opened by itself')
})
