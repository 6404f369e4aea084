import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { LookupPrefix } from '@muster/contract'

import { selectLookups } from '#storage/lists/lookups'
import { encodeId } from '#storage/values/id'
import { sentDuring } from '#test/support/statements'

import { assertBound, type Large, probe } from './plans.ts'

/** The rows of a chunk of an export. */
const chunkRows = 500

const tables = {
  usr: 'people',
  prj: 'projects',
  rsk: 'risks',
  iss: 'issues',
} as const satisfies Record<LookupPrefix, string>

/** Lookup columns of CSV read the primary key, once for each id. */
export function testLookups({ host, home, caller, plansOf }: Large): void {
  for (const [prefix, table] of Object.entries(tables) as [LookupPrefix, string][]) {
    test(`lookup columns of ${table} are read row by row`, async () => {
      const { rows } = await host.sql.query<{ id: string }>(
        `select id from ${table} where workspace_id = $1 limit ${chunkRows}`,
        [home.uuid],
      )
      const wanted = rows.map(({ id }) => encodeId(prefix, id))
      assert.ok(wanted.length > 0)
      const sent = await sentDuring(() =>
        caller.database.snapshot(caller, (snapshot) => selectLookups(snapshot, prefix, wanted)),
      )
      const asked = sent.filter(({ sql }) => sql.includes('any($2::uuid[])'))
      assert.equal(asked.length, 1)
      for (const plan of await plansOf(asked)) assertBound(plan, wanted.length * probe)
    })
  }
}
