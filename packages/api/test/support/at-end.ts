import { after } from 'node:test'

const steps: (() => Promise<unknown>)[] = []

/** Runs a cleanup step when the test file ends, in reverse order of registration. */
export function atEnd(step: () => Promise<unknown>): void {
  steps.push(step)
}

/** Runs every step even if an earlier one fails: an open handle would keep the process alive. */
after(async () => {
  const failures: unknown[] = []
  for (const step of steps.toReversed()) {
    await step().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
})
