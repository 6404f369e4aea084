import type { NewTask, Task, TaskPatch } from '@muster/contract'
import type { InfiniteData } from '@tanstack/react-query'

import { taskAddress } from '#data/addresses.ts'
import { runMutationWithToast } from '#data/change/mutation.ts'
import { resource, withToast } from '#data/change/resource.ts'
import { client } from '#data/client.ts'
import type { ListResponse } from '#data/lists.ts'
import { queryClient } from '#data/query-client.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { isRiskId, taskLists, type TaskRef, toParams } from './queries.ts'

export const invalidates = ['tasks', 'projects', 'personnel'] as const

/** The fields of the API for the risk or issue of a task; null for neither. */
export const subjectFields = (id: string | null) => ({
  risk_id: id !== null && isRiskId(id) ? id : null,
  issue_id: id !== null && !isRiskId(id) ? id : null,
})

/** Optimistic update of every list with the task. If the request fails, the refetch reverts it. */
function updateLists({ id }: Task, changes: TaskPatch): void {
  const changed = (task: Task): Task => (task.id === id ? { ...task, ...changes } : task)
  queryClient.setQueriesData<InfiniteData<ListResponse<Task>>>(
    { queryKey: taskLists },
    (lists) =>
      lists && {
        ...lists,
        pages: lists.pages.map((page) => ({ ...page, data: page.data.map(changed) })),
      },
  )
}

const tasks = resource<Task, TaskRef, TaskPatch>({
  noun: 'tasks',
  invalidates,
  view: (ref, options) => client.tasks.view({ params: toParams(ref) }, options),
  update: async (task, body, ifMatch) => {
    // Responses in flight have the old data and would overwrite the optimistic update.
    await queryClient.cancelQueries({ queryKey: taskLists })
    updateLists(task, body)
    return client.tasks.update({ params: toParams(task), body }, { ifMatch })
  },
  linkTo: (task) => ({ text: t('word.open'), ...taskAddress(task) }),
})

export const taskQuery = tasks.query

export const addTask = async (projectId: string, body: NewTask): Promise<Task> => {
  const task = await client.tasks.create({ params: { project_id: projectId }, body })
  return tasks.created(task, t('item.created', { ref: task.ref }))
}

export function moveTask(task: Task, status: Task['status']): Promise<void> {
  const successMessage = t('item.moved', { ref: task.ref, status: label('taskStatus', status) })
  return runMutationWithToast(tasks.updating(task, { status }, successMessage))
}

/** Returns null and sends nothing if no field changed. */
export const editTask = (task: Task, wanted: TaskPatch) =>
  tasks.edit(task, wanted, t('item.edited', { ref: task.ref }))

export const saveTask = (task: Task, wanted: TaskPatch) => withToast(editTask(task, wanted))
