import type { Assignment } from '@muster/contract'

import { type Column, refOf } from '#kit/list/columns.ts'
import type { ListSection } from '#kit/list/sectioned-list.tsx'
import { WorkGlyph, WorkTitle, workStatusSets } from '#kit/list/work.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import { daysUntil } from '#text/due.ts'
import { t } from '#text/index.ts'

export const workColumns: readonly Column<Assignment>[] = [
  {
    name: t('word.score'),
    width: '30px',
    isNameHidden: true,
    phone: 'lead',
    cell: (item) => <WorkGlyph item={item} />,
  },
  {
    name: t('word.ref'),
    width: '76px',
    phone: 'meta',
    fit: refOf,
    cell: refOf,
  },
  {
    name: t('person.assigned.what'),
    width: 'minmax(0, 1fr)',
    phone: 'title',
    cell: (item) => <WorkTitle item={item} />,
  },
  {
    name: t('word.status'),
    width: '104px',
    from: 620,
    cell: ({ type, status }) => <StatusName set={workStatusSets[type]} status={status} />,
  },
  {
    name: t('word.due'),
    width: '88px',
    phone: 'end',
    cell: ({ due_on }) => <When day={due_on} />,
  },
]

const due = {
  overdue: (days: number) => days < 0,
  week: (days: number) => days >= 0 && days <= 7,
  later: (days: number) => days > 7,
}

/** By due date: overdue, within a week, later, and without a date. The earliest comes first. */
export function workSections(items: readonly Assignment[]): ListSection<Assignment>[] {
  const dated = items.toSorted((a, b) => (a.due_on ?? '').localeCompare(b.due_on ?? ''))
  const within = (isIn: (days: number) => boolean) =>
    dated.filter(({ due_on }) => due_on !== null && isIn(daysUntil(due_on)))
  return [
    { key: 'overdue', name: t('issues.view.overdue'), items: within(due.overdue) },
    { key: 'week', name: t('tasks.due.week'), items: within(due.week) },
    { key: 'later', name: t('tasks.due.later'), items: within(due.later) },
    {
      key: 'none',
      name: t('tasks.due.none'),
      items: dated.filter(({ due_on }) => due_on === null),
    },
  ]
}
