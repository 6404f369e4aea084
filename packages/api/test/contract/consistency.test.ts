import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isList, scopes } from '@muster/contract'

import { Client, type Reply } from '#test/support/client'
import { itemPath, newExampleFor, createFixture, createFixtureFor } from '#test/support/fixture'
import { includeQueries, keyOperations } from '#test/support/operations'
import { startProcess } from '#test/support/process'
import { size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const rounds = size(10, 50)
const [one, two] = await Promise.all([startProcess(host.url), startProcess(host.url)])
const home = await newWorkspace(host)

test(`shows a write in every read on two processes, ${rounds} times out of ${rounds}`, async () => {
  const workspace = await newWorkspace(host)
  const { token } = await workspace.issue({ scopes })
  const here = new Client(one.base, token)
  const there = new Client(two.base, token)
  const fixture = await createFixture(here)
  const project = fixture.fill('/v1/projects/{project_id}')
  for (let round = 0; round < rounds; round++) {
    const [writer, reader] = round % 2 === 0 ? [here, there] : [there, here]
    const name = `Name ${round}`
    await writer.send('PATCH', project, { body: { name } })
    const risk = { title: `Risk ${round}`, likelihood: 5, impact: 5 }
    const { body: added } = await writer.post(`${project}/risks`, risk)

    const page = await reader.get(`/v1/risks?limit=1&q=${encodeURIComponent(risk.title)}`)
    assert.equal(page.body.data[0].id, added.id, `round ${round}`)
    assert.equal(page.body.data[0].project.name, name)
    const { body: summary } = await reader.get('/v1/risks/summary')
    assert.deepEqual([summary.as_of, summary.count], [added.version, round + 2])
    assert.equal(summary.by_project[0].project.name, name)
    const issues = await reader.get('/v1/issues')
    assert.equal(issues.body.data[0].project.name, name)
    const projects = await reader.get('/v1/projects?include=summary')
    assert.equal(projects.body.data[0].summary.live_risks, round + 2)
  }
})

test('answers 304 exactly until the collection changes', async () => {
  const workspace = await newWorkspace(host)
  const { token } = await workspace.issue({ scopes })
  const here = new Client(one.base, token)
  const there = new Client(two.base, token)
  for (let round = 0; round < rounds; round++) {
    const first = await here.get('/v1/personnel')
    const tag = first.headers.get('etag') ?? ''
    assert.match(tag, /^W\/"[0-9a-f]{24}\.p\d+\.r\d+"$/)
    const same = await there.get('/v1/personnel', { 'if-none-match': tag })
    assert.equal(same.status, 304)
    assert.equal(same.text, '')
    assert.equal(same.headers.get('etag'), tag)
    const filtered = await there.get('/v1/personnel?q=xx', { 'if-none-match': `"x", ${tag}` })
    assert.equal(filtered.status, 304, 'the ETag is that of the collection, whatever the filter')

    await there.post('/v1/personnel', { name: `Round ${round}` })
    const changed = await here.get('/v1/personnel', { 'if-none-match': tag })
    assert.equal(changed.status, 200)
    assert.equal(changed.body.count, round + 1)
    const risks = await here.get('/v1/risks')
    const kept = await here.get('/v1/risks', { 'if-none-match': risks.headers.get('etag') ?? '' })
    assert.equal(kept.status, 304, 'a write to the roster does not change the ETag of the register')
  }
})

test('answers 304 for a person until that person changes', async () => {
  const manager = await home.manager()
  const { body, headers } = await manager.post('/v1/personnel', { name: 'Ada' })
  const tag = headers.get('etag') ?? ''
  assert.match(tag, /^"[0-9a-f]{24}\.\d+\.r\d+"$/)
  const same = await manager.get(`/v1/personnel/${body.id}`, { 'if-none-match': tag })
  assert.equal(same.status, 304)
  const other = await manager.get(`/v1/personnel/${body.id}`, { 'if-none-match': '"0.0.r1"' })
  assert.equal(other.status, 200)
})

const changing = keyOperations().filter(({ operation }) => operation.method !== 'GET')
const author = await home.manager()

/** Every cacheable read of the contract, also with each include. */
const reads = keyOperations().flatMap(({ operation }) => {
  if (operation.method !== 'GET' || operation.cache === 'none') return []
  const extras = isList(operation) ? includeQueries(operation) : []
  return [operation.path, ...extras.map((extra) => `${operation.path}?${extra}`)]
})

/** Keys depend on the clock, and sign-in is not cached: no cacheable read shows them. */
const isUncached = ({ name, operation }: (typeof changing)[number]) =>
  /^(keys|sign_in)\./.test(name) || operation.events === undefined

for (const { name, operation } of changing.filter((each) => !isUncached(each))) {
  test(`never answers 304 for a resource that ${name} has changed`, async () => {
    const workspace = await newWorkspace(host)
    const { token } = await workspace.issue({ scopes })
    const here = new Client(one.base, token)
    const there = new Client(two.base, token)
    const fixture = await createFixtureFor(here, operation)
    const copies: [path: string, copy: Reply][] = []
    for (const path of reads.map(fixture.fill)) copies.push([path, await here.get(path)])
    // A new name, and who leads a group, also show in other resources.
    const shown = Object.entries({ name: 'Renamed', lead_user_ids: [] }).filter(
      ([field]) => field in (operation.body?.properties ?? {}),
    )
    const body = { ...newExampleFor(operation, fixture), ...Object.fromEntries(shown) }
    const changed = await there.send(operation.method, fixture.fill(operation.path), { body })
    assert.equal(changed.status, operation.status, changed.text)
    if (operation.cache === 'version') {
      const place = changed.headers.get('location') ?? fixture.fill(itemPath(operation.path))
      assert.equal((await here.get(place)).text, changed.text, 'the change is visible at once')
    }

    let stale = 0
    for (const [path, copy] of copies) {
      assert.equal(copy.status, 200, path)
      const tag = copy.headers.get('etag') ?? ''
      const asked = await here.get(path, { 'if-none-match': tag })
      // The other process has read nothing before, so it has no earlier response in memory.
      const { text } = await there.get(path)
      if (asked.status === 304) assert.equal(text, copy.text, `${path} ${tag}`)
      else assert.equal(asked.text, text)
      if (text !== copy.text) stale += 1
    }
    assert.ok(stale > 0, 'some read shows the change')
  })
}

test('never answers 304 for a history that names a renamed key', async () => {
  const workspace = await newWorkspace(host)
  const { token } = await workspace.issue({ scopes })
  const [here, there] = [new Client(one.base, token), new Client(two.base, token)]
  const { body: person } = await here.post('/v1/personnel', { name: 'Ada' })
  const path = `/v1/personnel/${person.id}/history?include=keys`
  const { headers, body } = await here.get(path)
  const { id } = body.data[0].actor
  await there.send('PATCH', `/v1/keys/${id}`, { body: { name: 'HR sync' } })
  const asked = await here.get(path, { 'if-none-match': headers.get('etag') ?? '' })
  assert.equal(asked.status, 200)
  assert.equal(asked.body.data[0].actor.name, 'HR sync')
})

/** Values in another order than the service stores them. */
const unordered = {
  metadata: { zz: '1', b: '2', 10: '3', 9: '4', a: '' },
  tags: ['b', 'ä', 'A', '𝕏', '\uffee', 'a'],
  links: [{ url: 'https://b.example/', title: 'B' }],
  inherent: { impact: 5, likelihood: 4 },
  target: { due_on: null, impact: 1, score: 2, likelihood: 2 },
}

for (const { name, operation } of changing.filter((each) => each.operation.cache === 'version')) {
  test(`${name} returns the same bytes as a GET, so its ETag is strong`, async () => {
    const fixture = await createFixtureFor(author, operation)
    const fields = operation.body?.properties ?? {}
    const reordered = Object.entries(unordered).filter(([field]) => field in fields)
    const body = { ...newExampleFor(operation, fixture), ...Object.fromEntries(reordered) }
    const changed = await author.send(operation.method, fixture.fill(operation.path), { body })
    assert.equal(changed.status, operation.status, changed.text)
    const place = changed.headers.get('location') ?? fixture.fill(itemPath(operation.path))
    const viewed = await author.get(place)
    assert.equal(viewed.text, changed.text)
    assert.match(viewed.headers.get('etag') ?? '', /^"[0-9a-f]{24}\.\d+\.r\d+"$/)
    assert.equal(viewed.headers.get('etag'), changed.headers.get('etag'))
  })
}

test('returns the same bytes as a GET from occur and batch operations', async () => {
  const fixture = await createFixture(author)
  const here = fixture.fill('/v1/projects/{project_id}')
  const occurred = await author.post(fixture.fill(`${here}/risks/{risk_id}/occur`), {})
  const row = { title: 'Flood', likelihood: 1, impact: 1, ...unordered }
  const batch = await author.post(`${here}/risks/batch`, { data: [row] })
  const { risk, issue } = occurred.body
  for (const each of [risk, issue, batch.body.data[0]]) {
    const noun = each.id.startsWith('iss') ? 'issues' : 'risks'
    assert.equal((await author.get(`${here}/${noun}/${each.id}`)).text, JSON.stringify(each))
  }
})

test('invalidates every ETag after a new epoch, even at the same sequence number', async () => {
  const fixture = await createFixture(author)
  const fixed = new Set(['/v1/scale', '/v1/roles'])
  const paths = reads.map(fixture.fill).filter((path) => !fixed.has(path))
  paths.push('/v1/personnel?limit=1', '/v1/risks?limit=1')
  const before = new Map<string, Reply>()
  for (const path of paths) before.set(path, await author.get(path))

  await host.sql.query(`update cluster set epoch = 'restored'`)

  for (const [path, copy] of before) {
    const tag = copy.headers.get('etag') ?? ''
    const after = await author.get(path, { 'if-none-match': tag })
    assert.equal(after.status, 200, path)
    assert.notEqual(after.headers.get('etag'), tag)
    const numbers = ['as_of', 'version', 'until'].filter((name) => name in copy.body)
    assert.ok(numbers.length > 0, `${path} has a sequence number`)
    for (const name of numbers) assert.equal(after.body[name], copy.body[name], `${path} ${name}`)
  }
})

test('answers HEAD like GET, without a body', async () => {
  const fixture = await createFixture(author)
  for (const path of [...reads.map(fixture.fill), '/v1/whoami', '/v1/risks?limit=1']) {
    const [head, get] = [await author.send('HEAD', path), await author.get(path)]
    assert.equal(head.status, 200, path)
    assert.equal(head.text, '')
    assert.equal(head.headers.get('etag'), get.headers.get('etag'))
    assert.equal(head.headers.get('content-type'), get.headers.get('content-type'))
  }
})
