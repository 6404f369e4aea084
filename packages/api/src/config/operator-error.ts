import { inspect } from 'node:util'

import { failureOf } from '#domain/engine/failure'
import { databaseAdvice } from '#storage/connection/advice'

/** An error that the operator can fix. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/**
 * One line for an error that the operator can fix; the stack trace for any other, which is a bug.
 * `setting` is the setting with the URL of the database.
 */
export function describeError(error: unknown, setting: string): string {
  if (error instanceof OperatorError) return `error: ${error.message}`
  const advice = databaseAdvice(error, setting) ?? failureOf(error)?.message
  return advice === undefined ? inspect(error) : `error: ${advice.replaceAll('\n', ' ')}`
}
