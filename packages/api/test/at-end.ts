import { after } from 'node:test'

const steps: (() => Promise<unknown>)[] = []

/** What is opened first is closed last, when the test file has ended. */
export function atEnd(step: () => Promise<unknown>): void {
  steps.push(step)
}

after(async () => {
  for (const step of steps.toReversed()) await step()
})
