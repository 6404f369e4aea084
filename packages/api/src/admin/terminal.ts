import { createInterface } from 'node:readline/promises'

import { InvalidArgumentError } from '@commander-js/extra-typings'
import { slugPattern } from '@muster/contract'

/** Messages for people go to stderr, so that a script can read the result from stdout. */
export const logMessage = (text: string) => process.stderr.write(`${text}\n`)
export const print = (text: string) => process.stdout.write(`${text}\n`)

/** Returns the typed line; null when stdin is not a terminal. */
export async function prompt(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question(question)
  lines.close()
  return answer
}

export function parseSlug(slug: string): string {
  if (slug.length < 3 || slug.length > 40 || !new RegExp(slugPattern).test(slug))
    throw new InvalidArgumentError('3 to 40 lower-case letters, digits and single hyphens.')
  return slug
}

export function parseName(name: string): string {
  if (name.trim() === '' || name.length > 100)
    throw new InvalidArgumentError('1 to 100 characters.')
  return name
}
