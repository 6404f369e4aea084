import assert from 'node:assert/strict'

import {
  insertTaskStates,
  selectKept,
  selectTaskPage,
  selectWithoutEvent,
} from '#storage/nouns/task-states'
import { lockTasksByUuid } from '#storage/nouns/tasks'
import type { Read } from '#storage/statements/access'
import { uuidOf } from '#storage/values/id'

const batchTasks = 500

export interface AddedStates {
  readonly added: number
  /** The task to continue after; null at the end. */
  readonly last: string | null
}

/**
 * Adds the present states of the next tasks that have none, because a release without states of
 * tasks wrote them. Repeating it is harmless. A write of a task waits for the lock, and one that
 * came first has added a state.
 */
export async function addTaskStates(read: Read, after: string | null): Promise<AddedStates> {
  const { last, missing } = await selectTaskPage(read, after, batchTasks)
  if (missing.length === 0) return { added: 0, last }
  const locked = await lockTasksByUuid(read, missing)
  const kept = await selectKept(read, missing)
  const tasks = locked.filter(({ id }) => !kept.has(uuidOf(id)))
  const [lost] = await selectWithoutEvent(read, tasks)
  assert(lost === undefined, `the task ${lost} has no event at its version`)
  await insertTaskStates(read, tasks)
  return { added: tasks.length, last }
}
