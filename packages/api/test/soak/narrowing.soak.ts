import assert from 'node:assert/strict'
import { test } from 'node:test'

import { scopes } from '@muster/contract'

import { bindKey } from '#test/auth/views/bound-keys'
import { Client, type Json, type Reply } from '#test/support/client'
import { size } from '#test/support/size'
import { metricsOf } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

import { Fleet } from './fleet.ts'
import { soak } from './length.ts'

const host = await startHost()
const fleet = await Fleet.start(host.url, 2, 'longTimeouts')
const home = await newWorkspace(host)
const [base = ''] = fleet.bases
const manager = new Client(base, (await home.issue({ scopes })).token)

const word = 'canarybird'

async function newProject(code: string, about: string): Promise<string> {
  const project = (await manager.post('/v1/projects', { code, name: `Project ${about}` })).body
  for (const severity of [1, 2]) {
    const title = `Item ${about} ${severity}`
    const rated = { title, likelihood: severity, impact: 4 }
    await manager.post(`/v1/projects/${project.id}/risks`, rated)
    await manager.post(`/v1/projects/${project.id}/issues`, { title, severity })
  }
  return project.id
}

const kept = await newProject('KEPT', 'gates')
const taken = await newProject('TAKEN', word)

/** What a reader keeps asking. Each answer shows the project that is taken, until it is taken. */
const reads: Readonly<Record<string, (reader: Client, tag: string) => Promise<Reply>>> = {
  'a page': (reader) => reader.get('/v1/risks?limit=50'),
  'a page of known rows': (reader) =>
    reader.get(`/v1/issues?limit=${20 + Math.ceil(Math.random() * 5)}`),
  'a complete list': (reader) => reader.get('/v1/risks'),
  'a file': (reader) => reader.get('/v1/issues', { accept: 'text/csv' }),
  'a copy': (reader, tag) => reader.get('/v1/risks?limit=50', { 'if-none-match': tag }),
  'a replay': (reader) =>
    reader.post(`/v1/projects/${taken}/tasks`, { title: word }, { 'idempotency-key': 'replay' }),
  'an item': (reader) => reader.get(`/v1/projects/${taken}`),
}
const names = Object.keys(reads)

const shows = ({ status, text }: Reply) => status === 304 || (status < 300 && text.includes(word))

interface Race {
  readonly readers: readonly Client[]
  readonly read: (reader: Client, tag: string) => Promise<Reply>
  readonly tag: string
}

/** Reads until a request was sent after the change was acknowledged. Returns whether that shows. */
async function readUntil({ read, tag }: Race, reader: Client, isOver: () => boolean) {
  for (let isAfter = false; ; isAfter = isOver()) {
    const reply = await read(reader, tag)
    assert.ok(reply.status < 500 || reply.status === 503, reply.text)
    if (isAfter) return shows(reply)
  }
}

test(`nothing outside the view is shown after a key was narrowed ${soak.name}`, async (t) => {
  const raceCount = size(21, 500)
  for (let race = 0; race < raceCount; race++) {
    const name = names[race % names.length] ?? ''
    const read = reads[name] ?? assert.fail()
    const { id, client } = await bindKey(manager, [kept, taken])
    const readers = fleet.bases.map((each) => new Client(each, client.token))
    const tag = (await client.get('/v1/risks?limit=50')).headers.get('etag') ?? ''
    // The first answers teach each process the page, so that later ones come from memory.
    for (const reader of readers) {
      for (const _ of [1, 2]) assert.ok(shows(await read(reader, tag)), `${name} shows it before`)
    }
    let isNarrowed = false
    const running = { readers, read, tag }
    const reading = [...readers, ...readers].map((reader) =>
      readUntil(running, reader, () => isNarrowed),
    )
    const body: Json = { project_ids: [kept] }
    const changed = await manager.send('PATCH', `/v1/keys/${id}`, { body })
    assert.equal(changed.status, 200, changed.text)
    isNarrowed = true
    const shown = (await Promise.all(reading)).filter(Boolean).length
    assert.equal(shown, 0, `race ${race}: ${name}`)
  }
  const metrics = await Promise.all(fleet.bases.map(metricsOf))
  const fast = metrics.map((each) => each['muster_http_fast_answers_total{status="200"}'] ?? 0)
  t.diagnostic(`${raceCount} races, ${fast.join(' + ')} answers from memory`)
  for (const count of fast) assert.ok(count > raceCount / names.length, 'pages come from memory')
})
