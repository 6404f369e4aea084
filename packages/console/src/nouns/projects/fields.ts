import type { Project } from '@muster/contract'

import { type Descriptions, fieldsOf } from '#kit/fields/field.ts'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

/** The fields of a project that people write; the risk appetite has controls of its own. */
export const projectFields = fieldsOf('projects', {
  name: { kind: 'line', label: t('word.name') },
  owner_user_id: {
    kind: 'person',
    label: t('word.owner'),
    missing: t('word.no-owner'),
    shortcut: 'a',
  },
  status: {
    kind: 'choice',
    label: t('word.status'),
    set: 'projectStatus',
    isStatus: true,
    shortcut: 's',
  },
  starts_on: { kind: 'date', label: t('project.starts-on') },
  due_on: { kind: 'date', label: t('word.due'), shortcut: 'd' },
  description: { kind: 'text', label: t('word.description') },
  external_id: { kind: 'line', label: t('word.external-id'), missing: t('word.none') },
} satisfies Descriptions<Project>)

/** A health report. */
export const healthFields = fieldsOf('projects', {
  health: { kind: 'choice', label: t('word.health'), set: 'projectHealth' },
  health_note: { kind: 'text', label: t('word.reason'), about: t('health.note.about') },
} satisfies Descriptions<Project>)

/** The statuses of a project that is not archived. */
export const currentStatuses = choices('projectStatus').filter(({ value }) => value !== 'archived')
