import type { Task } from '@muster/contract'

import { damTasks } from './tasks-dam.ts'
import { systemsTasks } from './tasks-systems.ts'
import { worksTasks } from './tasks-works.ts'

export interface StoryTask {
  /** The code of a project. */
  readonly project: string
  readonly title: string
  readonly description?: string
  readonly status: Task['status']
  /** The key of a person. */
  readonly assignee?: string
  readonly due_on?: string
  /** The reference of a risk that it treats, or of an issue that it helps to solve. */
  readonly about?: string
}

/** What there is to do at Northwater, and what has been done. */
export const tasks: readonly StoryTask[] = [...damTasks, ...worksTasks, ...systemsTasks]
