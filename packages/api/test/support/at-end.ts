import { after } from 'node:test'

const steps: (() => Promise<unknown>)[] = []

/** What is opened first is closed last, when the test file has ended. */
export function atEnd(step: () => Promise<unknown>): void {
  steps.push(step)
}

/** Each is done, whatever became of the one before: what stays open would never let us end. */
after(async () => {
  const failures: unknown[] = []
  for (const step of steps.toReversed()) {
    await step().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
})
