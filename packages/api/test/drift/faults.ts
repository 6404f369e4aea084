import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Host } from '#test/support/workspace'

import { findDrift } from './drift.ts'

/** A fault: its description, the statements that plant it, and the expected drift message. */
export type Fault = readonly [what: string, statements: string, expected: RegExp]

/**
 * Plants each fault and asserts that the drift check reports it. An untested check may detect
 * nothing.
 */
export function testFaults({ sql }: Host, today: string, faults: readonly Fault[]): void {
  for (const [what, statements, expected] of faults) {
    test(`detects ${what}`, async () => {
      await sql.query('begin')
      try {
        await sql.query(statements)
        const found = await findDrift(sql, { today })
        assert.ok(
          found.some((message) => expected.test(message)),
          `${expected} is not among:\n${found.join('\n')}`,
        )
      } finally {
        await sql.query('rollback')
      }
    })
  }
}
