import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation, limits, type Operation } from '@muster/contract'

import type { Json } from '#test/support/client'
import { exampleFor, type Fixture, createFixture } from '#test/support/fixture'
import { newWorkspace, startHost } from '#test/support/workspace'

import {
  addPeople,
  bytesOf,
  contents,
  enlarged,
  type Fields,
  metadataOf,
  settable,
} from './largest-bodies.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const people = await addPeople(manager)

/**
 * A batch must finish within the statement and request time limits. This file runs alone, so that
 * no other test takes its time.
 */
for (const { name, operation } of everyOperation()) {
  if (operation.rows === undefined) continue
  const fields = settable(name, operation)
  const short = fields.filter(([, { maxLength = 0 }]) => maxLength <= 500)

  test(`${name} accepts ${limits.itemsMax} ordinary rows, new and changed`, async () => {
    const fixture = await createFixture(manager)
    const made = await accept(
      operation,
      fixture,
      fitting(() => ordinary(name, fixture)),
    )
    const changed = made.map(({ id }) => ({ ...ordinary(name, fixture), id }))
    await accept(operation, fixture, changed)
  })

  for (const [what, content] of Object.entries(contents)) {
    test(`${name} accepts its largest rows of ${what}`, async (t) => {
      const fixture = await createFixture(manager)
      const largest = (set: Fields) =>
        enlarged(ordinary(name, fixture), set, { content, people: people.slice(0, 1) })
      for (const data of [
        fitting(() => largest(short)),
        fitting(() => ({ ...largest(fields), metadata: metadataOf(content, limits.bodyBytesMax) })),
      ]) {
        await accept(operation, fixture, data)
        t.diagnostic(`${data.length} rows, ${bytesOf({ data })} bytes`)
      }
    })
  }
}

let rows = 0

/** A valid new row, as a spreadsheet would contain it. */
function ordinary(name: string, fixture: Fixture): Json {
  const [noun] = name.split('.')
  const create = everyOperation().find((each) => each.name === `${noun}.create`)
  assert.ok(create)
  const { email, ...example } = exampleFor(create.operation, fixture)
  rows += 1
  return { ...example, ...(email && { email: `mara${rows}@example.com` }) }
}

/** The most rows that fit the row limit and the byte limit of a batch. */
function fitting(row: () => Json): Json[] {
  const data: Json[] = []
  for (let left = limits.batchBytesMax - 20; data.length < limits.itemsMax;) {
    const next = row()
    left -= bytesOf(next) + 1
    if (left < 0) break
    data.push(next)
  }
  return data
}

async function accept(
  { path, status }: Operation,
  fixture: Fixture,
  data: Json[],
): Promise<Json[]> {
  const reply = await manager.post(fixture.fill(path), { data })
  assert.equal(reply.status, status, reply.text.slice(0, 2000))
  assert.equal(reply.body.data.length, data.length)
  return reply.body.data
}
