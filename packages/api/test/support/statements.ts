import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

import { statements } from '#storage/lease'

import { atEnd } from './at-end.ts'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Everything that is sent to the database while `work` runs, in this process. */
export async function sentDuring(work: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = []
  const hear = (message: unknown) => {
    const isText = typeof message === 'string'
    sent.push(isText ? { sql: message, parameters: [] } : (message as Statement))
  }
  statements.subscribe(hear)
  try {
    await work()
  } finally {
    statements.unsubscribe(hear)
  }
  return sent
}

/** On one line, as queries.sql has it. */
export const statementText = ({ sql }: Statement) => `${sql.replaceAll(/\s+/g, ' ').trim()};`

/**
 * Whatever the service sends in a test must be in queries.sql: nothing is sent that nobody has
 * read.
 */
export function watchStatements(): void {
  const sent = new Set<string>()
  const hear = (message: unknown) => {
    const isText = typeof message === 'string'
    sent.add(statementText(isText ? { sql: message, parameters: [] } : (message as Statement)))
  }
  statements.subscribe(hear)
  atEnd(async () => {
    statements.unsubscribe(hear)
    const golden = readFileSync(new URL('../queries.sql', import.meta.url), 'utf8')
    const unread = [...sent].filter((text) => !golden.includes(text) && !isArranged(text))
    assert.deepEqual(unread, [], 'these are not in queries.sql. Run: npm run golden')
  })
}

/** What a test sends through our own connections to arrange or to look. */
const isArranged = (text: string) => /\bwhere true\b|from "people";$/.test(text)
