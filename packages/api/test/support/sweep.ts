import type { Sweeper, SweepOptions } from '#domain/workspace/sweep'

interface SweepDueOptions extends SweepOptions {
  /** How many at a time; one by default, so that the order of the statements is the same. */
  readonly parallel?: number
}

/** Sweeps every workspace that is due, once, as the jobs of a process do. */
export async function sweepDue(
  sweeper: Sweeper,
  { parallel = 1, ...options }: SweepDueOptions = {},
) {
  const due = await sweeper.due(null, 100_000)
  const result = { workspaces: 0, items: 0, failures: [] as unknown[] }
  const queue = due.values()
  const work = async () => {
    for (const { id } of queue) {
      try {
        const { items, isDone } = await sweeper.sweepWorkspace(id, options)
        result.workspaces += Number(isDone)
        result.items += items
      } catch (error) {
        result.failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return result
}

/** Makes every workspace due. */
export const allDue = `update workspaces set sweep_due_at = '-infinity'`
