import { createInterface } from 'node:readline/promises'

import { InvalidArgumentError } from '@commander-js/extra-typings'

/** People read stderr; a script reads the last line of stdout. */
export const say = (text: string) => process.stderr.write(`${text}\n`)
export const print = (text: string) => process.stdout.write(`${text}\n`)

/** What a person answers; null when there is nobody to ask. */
export async function ask(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question(question)
  lines.close()
  return answer
}

export function readName(name: string): string {
  if (name.trim() === '' || name.length > 100)
    throw new InvalidArgumentError('1 to 100 characters.')
  return name
}
