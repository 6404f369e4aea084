import type { Task } from '@muster/contract'

import { type Descriptions, fieldsOf } from '#kit/fields/field.ts'
import { t } from '#text/index.ts'

/** The fields of a task that people write. */
export const taskFields = fieldsOf('tasks', {
  title: { kind: 'line', label: t('word.title'), isRequired: true },
  assignee_user_id: {
    kind: 'person',
    label: t('word.assignee'),
    missing: t('word.unassigned'),
    shortcut: 'a',
  },
  status: {
    kind: 'choice',
    label: t('word.status'),
    set: 'taskStatus',
    isStatus: true,
    shortcut: 's',
  },
  due_on: { kind: 'date', label: t('word.due'), shortcut: 'd' },
  description: { kind: 'text', label: t('word.description') },
  external_id: { kind: 'line', label: t('word.external-id'), missing: t('word.none') },
} satisfies Descriptions<Task>)
