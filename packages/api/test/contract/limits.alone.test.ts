import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation, limits, type Operation } from '@muster/contract'

import type { Json } from './client.ts'
import {
  addPeople,
  bytesOf,
  contents,
  enlarged,
  type Fields,
  metadataOf,
  settable,
} from './largest-bodies.ts'
import { exampleFor, type Scene, setScene } from './scene.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const people = await addPeople(manager)

/**
 * A batch must be written within the time-outs of its statements and of its request: this file runs
 * alone, so that no other test takes the time.
 */
for (const { name, operation } of everyOperation()) {
  if (operation.rows === undefined) continue
  const fields = settable(name, operation)
  const short = fields.filter(([, { maxLength = 0 }]) => maxLength <= 500)

  test(`${name} accepts ${limits.itemsMax} ordinary rows, new and changed`, async () => {
    const scene = await setScene(manager)
    const made = await accept(
      operation,
      scene,
      fitting(() => ordinary(name, scene)),
    )
    const changed = made.map(({ id }) => ({ ...ordinary(name, scene), id }))
    await accept(operation, scene, changed)
  })

  for (const [what, content] of Object.entries(contents)) {
    test(`${name} accepts its largest rows of ${what}`, async (t) => {
      const scene = await setScene(manager)
      const largest = (set: Fields) =>
        enlarged(ordinary(name, scene), set, { content, people: people.slice(0, 1) })
      for (const data of [
        fitting(() => largest(short)),
        fitting(() => ({ ...largest(fields), metadata: metadataOf(content, limits.bodyBytesMax) })),
      ]) {
        await accept(operation, scene, data)
        t.diagnostic(`${data.length} rows, ${bytesOf({ data })} bytes`)
      }
    })
  }
}

let rows = 0

/** A row that can be added, as a spreadsheet would hold it. */
function ordinary(name: string, scene: Scene): Json {
  const [noun] = name.split('.')
  const create = everyOperation().find((each) => each.name === `${noun}.create`)
  assert.ok(create)
  const { email, ...example } = exampleFor(create.operation, scene)
  rows += 1
  return { ...example, ...(email && { email: `mara${rows}@example.com` }) }
}

/** As many rows as a batch may have, and as its bytes allow. */
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

async function accept({ path, status }: Operation, scene: Scene, data: Json[]): Promise<Json[]> {
  const reply = await manager.post(scene.fill(path), { data })
  assert.equal(reply.status, status, reply.text.slice(0, 2000))
  assert.equal(reply.body.data.length, data.length)
  return reply.body.data
}
