import assert from 'node:assert/strict'
import { test } from 'node:test'

import { findDrift } from './drift.ts'
import type { Host } from './workspace.ts'

/** What is broken, by which statements, and how that is told. */
export type Break = readonly [what: string, statements: string, told: RegExp]

/** A checker that finds nothing may be blind: each of these faults is planted, and must be told. */
export function testBreaks({ sql }: Host, today: string, breaks: readonly Break[]): void {
  for (const [what, statements, told] of breaks) {
    test(`drift tells of ${what}`, async () => {
      await sql.query('begin')
      try {
        await sql.query(statements)
        const found = await findDrift(sql, { today })
        assert.ok(
          found.some((sentence) => told.test(sentence)),
          `${told} is not among:\n${found.join('\n')}`,
        )
      } finally {
        await sql.query('rollback')
      }
    })
  }
}
