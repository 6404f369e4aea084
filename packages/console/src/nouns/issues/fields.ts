import type { Issue } from '@muster/contract'

import { type Descriptions, fieldsOf } from '#kit/fields/field.ts'
import { t } from '#text/index.ts'

/** The fields of an issue that people write; the severity has controls of its own. */
export const issueFields = fieldsOf('issues', {
  title: { kind: 'line', label: t('word.title'), isRequired: true },
  description: {
    kind: 'text',
    label: t('word.description'),
    about: t('issue.description.about'),
  },
  type: { kind: 'choice', label: t('word.type'), set: 'issueType' },
  status: {
    kind: 'choice',
    label: t('word.status'),
    set: 'issueStatus',
    isStatus: true,
    shortcut: 's',
  },
  due_on: { kind: 'date', label: t('word.due'), shortcut: 'd' },
  blocked_reason: { kind: 'text', label: t('issue.blocked-reason') },
  assignee_user_id: {
    kind: 'person',
    label: t('word.assignee'),
    missing: t('word.unassigned'),
    shortcut: 'a',
  },
  tags: {
    kind: 'tags',
    label: t('word.tags'),
    about: t('issue.tags.about'),
    missing: t('word.none'),
  },
  external_id: { kind: 'line', label: t('word.external-id'), missing: t('word.none') },
} satisfies Descriptions<Issue>)

/** How an issue is closed. */
export const closeFields = fieldsOf('issues', {
  close_reason: { kind: 'choice', label: t('issue.close-reason'), set: 'issueCloseReason' },
  close_note: { kind: 'text', label: t('issue.close-note') },
} satisfies Descriptions<Issue>)
