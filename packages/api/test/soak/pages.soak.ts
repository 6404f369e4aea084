import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { scopes } from '@muster/contract'

import { Client } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

import { Fleet } from './fleet.ts'
import { chance, pick, soak, soakMs, untilEnough } from './length.ts'

const [writers, readers] = [16, 32]

/** An acknowledged change of the title of a person. */
interface Written {
  readonly id: string
  readonly title: string
  readonly version: number
  readonly acknowledgedAt: number
}

interface Answer {
  readonly askedAt: number
  readonly as_of: number
  readonly data: readonly { readonly id: string; readonly title: string }[]
}

/** The title of each person at this sequence number. */
function titlesAt(writes: readonly Written[], seq: number): Map<string, string> {
  const upTo = writes.filter(({ version }) => version <= seq)
  return new Map(upTo.toSorted((a, b) => a.version - b.version).map(({ id, title }) => [id, title]))
}

test(`every page is a fresh read at its sequence number ${soak.name}`, async (t) => {
  const host = await startHost()
  const fleet = await Fleet.start(host.url, 4, 'longTimeouts')
  const home = await newWorkspace(host)
  const { token } = await home.issue({ scopes })
  const clients = fleet.bases.map((base) => new Client(base, token))
  const writes: Written[] = []
  const answers: Answer[] = []
  const isOver = untilEnough(soakMs, () => writes.length > 100 && answers.length > 500)
  const paths = ['', '&sort=name', '&sort=-created_at'].map(
    (sort) => `/v1/personnel?limit=50${sort}`,
  )

  const write = async (writer: number) => {
    const next = chance(writer)
    const first = { name: `Writer ${writer}`, title: '0' }
    const { body: person } = await pick(clients, next).post('/v1/personnel', first)
    const record = (title: string, version: number) =>
      writes.push({ id: person.id, title, version, acknowledgedAt: performance.now() })
    record('0', person.version)
    for (let count = 1; !isOver(); count++) {
      const title = String(count)
      const path = `/v1/personnel/${person.id}`
      const reply = await pick(clients, next).send('PATCH', path, { body: { title } })
      assert.equal(reply.status, 200, reply.text)
      record(title, reply.body.version)
      await sleep(next() * 300)
    }
  }
  const read = async (reader: number) => {
    const next = chance(1000 + reader)
    while (!isOver()) {
      const askedAt = performance.now()
      const reply = await pick(clients, next).get(pick(paths, next))
      assert.equal(reply.status, 200, reply.text)
      answers.push({ askedAt, as_of: reply.body.as_of, data: reply.body.data })
    }
  }
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
  await Promise.all([...numbers(writers).map(write), ...numbers(readers).map(read)])

  const known = new Map<number, Map<string, string>>()
  for (const { askedAt, as_of, data } of answers) {
    const titles = known.get(as_of) ?? titlesAt(writes, as_of)
    known.set(as_of, titles)
    assert.deepEqual(new Map(data.map(({ id, title }) => [id, title])), new Map(titles))
    const seen = writes.filter(({ acknowledgedAt }) => acknowledgedAt < askedAt)
    const latest = Math.max(0, ...seen.map(({ version }) => version))
    assert.ok(as_of >= latest, `as of ${as_of}, but ${latest} was acknowledged before`)
  }
  const snapshots = new Set(answers.map(({ as_of }) => as_of)).size
  t.diagnostic(`${answers.length} pages of ${snapshots} snapshots during ${writes.length} writes`)
})
