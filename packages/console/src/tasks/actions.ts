import type { NewTask, Task, TaskPatch } from '@muster/contract'
import type { InfiniteData } from '@tanstack/react-query'

import { cache, refresh } from '#api/cache.ts'
import { client } from '#api/client.ts'
import type { Answer } from '#api/lists.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { type Act, actAside } from '#ui/act.ts'
import { asBefore } from '#ui/changes.ts'
import { sayDone } from '#ui/toast.tsx'

import { isRiskId, taskLists } from './queries.ts'

const touches = ['tasks', 'projects', 'personnel'] as const

/** What a task is for, as the API takes it: a risk, an issue, or nothing in particular. */
export const aboutFields = (id: string | null) => ({
  risk_id: id !== null && isRiskId(id) ? id : null,
  issue_id: id !== null && !isRiskId(id) ? id : null,
})

export async function addTask(projectId: string, body: NewTask): Promise<Task> {
  const task = await client.tasks.create({ params: { project_id: projectId }, body })
  sayDone(t('task.made', { ref: task.ref }))
  await refresh(...touches)
  return task
}

export type TaskChanges = Pick<
  TaskPatch,
  'title' | 'description' | 'assignee_user_id' | 'due_on' | 'status' | 'risk_id' | 'issue_id'
>

/** Shown at once in every list that has the task; asking for them anew takes it back if refused. */
function showInLists({ id }: Task, changes: TaskChanges): void {
  const changed = (task: Task): Task => (task.id === id ? { ...task, ...changes } : task)
  cache.setQueriesData<InfiniteData<Answer<Task>>>(
    { queryKey: taskLists },
    (lists) =>
      lists && {
        ...lists,
        pages: lists.pages.map((page) => ({ ...page, data: page.data.map(changed) })),
      },
  )
}

/** A change of a task, to be done by `act` or by `actAside`. */
export function changeOfTask(task: Task, changes: TaskChanges, says: string): Act<Task, Task> {
  const params = { project_id: task.project_id, task_id: task.id }
  return {
    thing: task,
    expected: changes,
    view: () => client.tasks.view({ params }),
    send: async (ifMatch) => {
      // What is on its way was asked for before, and would show it as it was.
      await cache.cancelQueries({ queryKey: taskLists })
      showInLists(task, changes)
      return client.tasks.update({ params, body: changes }, { ifMatch })
    },
    touches,
    says,
    undo: ({ version }, before) => {
      const body = asBefore(before, changes)
      return client.tasks.update({ params, body }, { ifMatch: version })
    },
  }
}

export function moveTask(task: Task, status: Task['status']): Promise<void> {
  const says = t('task.moved', { ref: task.ref, status: label('taskStatus', status) })
  return actAside(changeOfTask(task, { status }, says))
}
