import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

import { atEnd } from '@muster/testing/at-end'

import { statements } from '#storage/connection/connection'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Collects every statement that this process sends to the database while `work` runs. */
export async function sentDuring(work: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = []
  const collect = (message: unknown) => {
    const isText = typeof message === 'string'
    sent.push(isText ? { sql: message, parameters: [] } : (message as Statement))
  }
  statements.subscribe(collect)
  try {
    await work()
  } finally {
    statements.unsubscribe(collect)
  }
  return sent
}

/** Waits for background writes, such as entries of the audit log. */
export async function untilQuiet(): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if ((await sentDuring(() => sleep(100))).length === 0) return
  }
  assert.fail('statements are sent in the background for ten seconds')
}

/** The statement on one line, as in queries.sql. */
export const statementText = ({ sql }: Statement) => `${sql.replaceAll(/\s+/g, ' ').trim()};`

/** Fails the test file when the service sends a statement that is not in queries.sql. */
export function watchStatements(): void {
  const sent = new Set<string>()
  const collect = (message: unknown) => {
    const isText = typeof message === 'string'
    sent.add(statementText(isText ? { sql: message, parameters: [] } : (message as Statement)))
  }
  statements.subscribe(collect)
  atEnd(async () => {
    statements.unsubscribe(collect)
    const golden = readFileSync(new URL('../../queries.sql', import.meta.url), 'utf8')
    const unlisted = [...sent].filter((text) => !golden.includes(text) && !isArranged(text))
    assert.deepEqual(unlisted, [], 'these are not in queries.sql. Run: npm run golden')
  })
}

/** Statements that tests send through the service's connections to arrange or inspect data. */
const isArranged = (text: string) => /\bwhere true\b|from "people";$/.test(text)
