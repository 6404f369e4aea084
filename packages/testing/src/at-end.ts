import { relative } from 'node:path'
import { after } from 'node:test'

type Step = () => Promise<unknown>

let file = process.argv[1] ?? 'none'
const ofFile: Step[] = []
const ofProcess: Step[] = []

/** The path of the test file that runs. */
export const testFile = () => file

/** Called before a test file is loaded, where one process runs several. */
export function beginFile(path: string): void {
  file = path
}

/** Runs a cleanup step when the test file ends, in reverse order of registration. */
export function atEnd(step: Step): void {
  ofFile.push(step)
}

/** Runs a cleanup step when the process ends, which may run several test files. */
export function atEndOfProcess(step: Step): void {
  ofProcess.push(step)
}

export const endFile = () => run(ofFile)
export const endProcess = () => run(ofProcess)

/** Runs every step even if an earlier one fails: an open handle would keep the process alive. */
async function run(steps: Step[]): Promise<void> {
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
