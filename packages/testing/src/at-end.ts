import { relative } from 'node:path'
import { after } from 'node:test'

let file = process.argv[1] ?? 'none'
const steps: (() => Promise<unknown>)[] = []

/** The path of the test file that runs. */
export const testFile = () => file

/** Called before a test file is loaded, where one process runs several. */
export function beginFile(path: string): void {
  file = path
}

/** Runs a cleanup step when the test file ends, in reverse order of registration. */
export function atEnd(step: () => Promise<unknown>): void {
  steps.push(step)
}

/** Runs every step even if an earlier one fails: an open handle would keep the process alive. */
export async function endFile(): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps.splice(0).toReversed()) {
    await step().catch((error: unknown) => failures.push(error))
  }
  if (failures.length === 0) return
  const reasons = failures.map((failure) => (failure instanceof Error ? failure.message : failure))
  const message = `after the tests of ${relative('', file)}: ${reasons.join('; ')}`
  throw new Error(message, { cause: failures[0] })
}

// For a test file that runs in its own process.
after(endFile)
