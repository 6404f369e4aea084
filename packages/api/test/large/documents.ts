import assert from 'node:assert/strict'
import { test } from 'node:test'

import { administrator } from '#domain/engine/caller'
import { findEverything } from '#domain/search/search'
import { sentDuring } from '#test/support/statements'

import { assertNoScan, type Large, openPlans, type PlansOf } from './plans.ts'
import { little } from './spread.ts'

const buffersMax = 1000

/** Words of the large tables, and how many documents have them. */
const searches = {
  'no document': 'zzqx',
  'one reference': 'r47',
  'the beginning of many references': 'r47 risk',
  'a rare name': 'almagard',
  'a common word and a rare one': 'the risk number r4711',
}

/** A search reads the entries of one workspace, and few of them. */
export async function testDocuments(
  { host, caller, plansOf }: Large,
  small: { readonly id: string; readonly uuid: string },
): Promise<void> {
  const buffersOf = async (q: string, who: Large['caller'], plans: PlansOf) => {
    const sent = await sentDuring(() => findEverything(who, { q, limit: 50 }))
    const asked = sent.filter(({ sql }) =>
      /find_documents|from "?(?:risks|issues|tasks|people)/.test(sql),
    )
    assert.ok(asked.length > 0)
    const read = await plans(asked)
    for (const plan of read) assertNoScan(plan)
    return Math.max(...read.map(({ buffers }) => buffers))
  }

  for (const [what, q] of Object.entries(searches)) {
    test(`a search for ${what} reads few buffers`, async (t) => {
      const buffers = await buffersOf(q, caller, plansOf)
      t.diagnostic(`${buffers} of ${buffersMax} buffers`)
      assert.ok(buffers <= buffersMax, `${buffers} buffers`)
    })
  }

  const smallPlans = await openPlans(host.url, small.uuid)
  const inSmall = { ...caller, ...administrator(caller.database, small.id), actor: caller.actor }

  test('a search for a word of every risk reads no entries of other workspaces', async (t) => {
    const large = await buffersOf('risk', caller, plansOf)
    const own = await buffersOf('risk', inSmall, smallPlans)
    t.diagnostic(`${own} buffers; in the large workspace ${large}, which has no bound`)
    assert.ok(own <= 50 + little.risks, `${own} buffers`)
  })
}
