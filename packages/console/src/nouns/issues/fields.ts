import type { Issue } from '@muster/contract'

import { type Descriptions, fieldsOf } from '#kit/fields/field.ts'
import { t } from '#text/index.ts'

/** The fields of an issue that people write; the severity has controls of its own. */
export const issueFields = fieldsOf('issues', {
  title: { kind: 'line', label: t('issue.name'), isRequired: true },
  description: {
    kind: 'text',
    label: t('issue.description'),
    about: t('issue.description.about'),
  },
  type: { kind: 'choice', label: t('issue.type'), set: 'issueType' },
  status: {
    kind: 'choice',
    label: t('issues.status'),
    set: 'issueStatus',
    isStatus: true,
    shortcut: 's',
  },
  due_on: { kind: 'date', label: t('issues.due'), shortcut: 'd' },
  blocked_reason: { kind: 'text', label: t('issue.blocked-reason') },
  assignee_user_id: {
    kind: 'person',
    label: t('issues.assignee'),
    missing: t('issues.unassigned'),
    shortcut: 'a',
  },
  tags: {
    kind: 'tags',
    label: t('issue.tags'),
    about: t('issue.tags.about'),
    missing: t('issue.none'),
  },
} satisfies Descriptions<Issue>)

/** How an issue is closed. */
export const closeFields = fieldsOf('issues', {
  close_reason: { kind: 'choice', label: t('issue.close-reason'), set: 'issueCloseReason' },
  close_note: { kind: 'text', label: t('issue.close-note') },
} satisfies Descriptions<Issue>)
