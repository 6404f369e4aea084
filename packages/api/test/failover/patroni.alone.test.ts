import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  ask,
  makeFolder,
  names,
  placesOf,
  type Node,
  obstacle,
  primaryOf,
  startEtcd,
  startNode,
} from './patroni.ts'

/** `npm test -- --long patroni`: runs three nodes and kills the primary. */
const skip = obstacle('patroni')

test('three nodes elect a primary, and replace it when it is killed', { skip }, async (t) => {
  const folder = makeFolder()
  const etcd = await startEtcd(folder)
  const nodes: Node[] = []
  for (const name of names) nodes.push(startNode(folder, name, await placesOf(etcd)))
  const first = await primaryOf(nodes, 120)
  await ask(first, 'create table proof as select 42 as answer')
  t.diagnostic(`${first.name} is the primary, with a synchronous standby`)

  const began = performance.now()
  first.kill()
  const second = await primaryOf(
    nodes.filter((node) => node !== first),
    60,
  )
  t.diagnostic(
    `${second.name} is the primary, with a standby, after ${(performance.now() - began).toFixed()} ms`,
  )
  assert.equal(await ask(second, 'select answer from proof'), '42', 'the acknowledged write')
})
