import { NewTask, type Task, type CrossProjectTaskRow } from '@muster/contract'

import { applyRows, type BatchResult, changedRow } from '#domain/engine/batch'
import type { Caller } from '#domain/engine/caller'
import { isSame } from '#domain/engine/change'
import { pickProperties, readOnlyErrors, refuseErrors } from '#domain/engine/new-rows'
import { refuseOverQuota } from '#domain/engine/quota'
import { lockTasks, type StoredTask } from '#storage/nouns/tasks'

import { type ItemBatch, openItems } from './item-batch.ts'
import { TaskSubjects } from './task-subjects.ts'
import { applyTaskPatch, buildTask, isOpen, saveNewTask, saveTask, taskAdvice } from './tasks.ts'

const noun = {
  table: 'tasks',
  stem: 'assignee',
  number: 'task_number',
  lock: lockTasks,
  personOf: (task: StoredTask) => task.assignee_user_id,
} as const

/** Creates and updates tasks in one write. */
export function batchTasks(
  caller: Caller<'projects.manage'>,
  batch: ItemBatch<CrossProjectTaskRow>,
): Promise<BatchResult<Task>> {
  return caller.database.write(caller, async (write) => {
    const opened = await openItems(write, caller, { noun, batch })
    const { stored, projects, people, externalIds } = opened
    const subjects = await TaskSubjects.find(write, projects.opened, batch.data)
    const rows = subjects.resolve(opened.rows, ({ id = '' }) => stored.get(id))
    const context = { write, people, subjects }
    let openedTasks = 0
    const result = await applyRows<CrossProjectTaskRow, StoredTask, 'changed'>(rows, {
      write,
      required: ['title'],
      existing: stored,
      outcomeFor: changedRow,
      create: (row) => {
        // The cast holds because `applyRows` has checked the required fields.
        const input = pickProperties(row, NewTask) as NewTask
        const task = buildTask(input, { ...context, ...projects.next(row) })
        const created = { schema: NewTask, record: task, advice: taskAdvice, now: write.now }
        refuseErrors(readOnlyErrors(row, created))
        externalIds.reserve(task)
        openedTasks += Number(isOpen(task))
        return saveNewTask(write, task, Object.keys(input))
      },
      change: (before, row) => {
        const after = applyTaskPatch(before, row, context)
        if (isSame(before, after)) return before
        externalIds.reserve(after)
        openedTasks += Number(isOpen(after) && !isOpen(before))
        return saveTask(write, { before, after, type: 'task.updated' })
      },
    })
    await refuseOverQuota(write, 'open_tasks', openedTasks)
    projects.save(write)
    return result
  })
}
