import type { NewTask, Task, TaskPatch } from '@muster/contract'
import type { InfiniteData } from '@tanstack/react-query'

import { changedFields, isEmpty, previousValues } from '#data/change/changes.ts'
import { type Mutation, runMutation, runMutationWithToast } from '#data/change/mutation.ts'
import { client } from '#data/client.ts'
import type { ListResponse } from '#data/lists.ts'
import { invalidate, queryClient } from '#data/query-client.ts'
import { showError, showSuccess, type ToastLink } from '#kit/feedback/toast.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { isRiskId, taskKey, taskLists } from './queries.ts'

export const invalidates = ['tasks', 'projects', 'personnel'] as const

/** The fields of the API for the risk or issue of a task; null for neither. */
export const subjectFields = (id: string | null) => ({
  risk_id: id !== null && isRiskId(id) ? id : null,
  issue_id: id !== null && !isRiskId(id) ? id : null,
})

const linkTo = ({ project_id, id }: Task): ToastLink => ({
  text: t('toast.open'),
  to: '/projects/$project_id/tasks/$task_id',
  params: { project_id, task_id: id },
})

export async function addTask(projectId: string, body: NewTask): Promise<Task> {
  const task = await client.tasks.create({ params: { project_id: projectId }, body })
  showSuccess(t('task.created', { ref: task.ref }), undefined, linkTo(task))
  await invalidate(...invalidates)
  return task
}

export type TaskChanges = Pick<
  TaskPatch,
  | 'title'
  | 'description'
  | 'assignee_user_id'
  | 'due_on'
  | 'status'
  | 'risk_id'
  | 'issue_id'
  | 'links'
>

/** Optimistic update of every list with the task. If the request fails, the refetch reverts it. */
function updateLists({ id }: Task, changes: TaskChanges): void {
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

function taskMutation(
  task: Task,
  changes: TaskChanges,
  successMessage: string,
): Mutation<Task, Task> {
  const params = { project_id: task.project_id, task_id: task.id }
  return {
    resource: task,
    queryKey: taskKey(task),
    optimistic: changes,
    fetchLatest: () => client.tasks.view({ params }),
    send: async (ifMatch) => {
      // Responses in flight have the old data and would overwrite the optimistic update.
      await queryClient.cancelQueries({ queryKey: taskLists })
      updateLists(task, changes)
      return client.tasks.update({ params, body: changes }, { ifMatch })
    },
    invalidates,
    successMessage,
    link: linkTo(task),
    undo: ({ version }, before) => {
      const body = previousValues(before, changes)
      return client.tasks.update({ params, body }, { ifMatch: version })
    },
  }
}

export function moveTask(task: Task, status: Task['status']): Promise<void> {
  const successMessage = t('task.moved', { ref: task.ref, status: label('taskStatus', status) })
  return runMutationWithToast(taskMutation(task, { status }, successMessage))
}

/** Returns null and sends nothing if no field changed. */
export async function editTask(task: Task, wanted: TaskChanges) {
  const changes = changedFields<TaskChanges>(task, wanted)
  if (isEmpty(changes)) return null
  return runMutation(taskMutation(task, changes, t('task.changed', { ref: task.ref })))
}

/** For fields that save at once: shows an error as a notification. */
export const saveTask = (task: Task, wanted: TaskChanges) => editTask(task, wanted).catch(showError)
