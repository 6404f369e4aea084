import { test, type TestContext } from 'node:test'

const triesMax = 3

/**
 * A test whose bounds are in milliseconds. On a machine that others use too a moment can be lost
 * that is not ours: then it is tried again, at most twice. What is ours is lost each time.
 */
export function testOfTime(name: string, work: (t: TestContext) => Promise<void>): void {
  test(name, async (t) => {
    for (let tries = 1; tries < triesMax; tries++) {
      try {
        await work(t)
        return
      } catch (error) {
        t.diagnostic(`tried again: ${error instanceof Error ? error.message : 'unknown'}`)
      }
    }
    await work(t)
  })
}
