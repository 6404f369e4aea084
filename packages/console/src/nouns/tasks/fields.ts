import type { Task } from '@muster/contract'

import { type Descriptions, fieldsOf } from '#kit/fields/field.ts'
import { t } from '#text/index.ts'

/** The fields of a task that people write. */
export const taskFields = fieldsOf('tasks', {
  title: { kind: 'line', label: t('task.title'), isRequired: true },
  assignee_user_id: {
    kind: 'person',
    label: t('task.assignee'),
    missing: t('tasks.unassigned'),
    shortcut: 'a',
  },
  status: {
    kind: 'choice',
    label: t('task.status'),
    set: 'taskStatus',
    isStatus: true,
    shortcut: 's',
  },
  due_on: { kind: 'date', label: t('task.due'), shortcut: 'd' },
  description: { kind: 'text', label: t('task.description') },
} satisfies Descriptions<Task>)
