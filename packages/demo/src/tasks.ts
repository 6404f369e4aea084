import { damTasks } from './tasks-dam.ts'
import { geotechnicsTasks } from './tasks-geotechnics.ts'
import { systemsTasks } from './tasks-systems.ts'
import { worksTasks } from './tasks-works.ts'
import type { StoryTask } from './types.ts'

/** The open and completed tasks of Northwater. */
export const tasks: readonly StoryTask[] = [
  ...damTasks,
  ...worksTasks,
  ...systemsTasks,
  ...geotechnicsTasks,
]
