import type { Task } from '@muster/contract'

import { type Column, refOf } from '#kit/list/columns.ts'
import { Title } from '#kit/list/title.tsx'
import { TaskLink } from '#kit/parts/links.tsx'
import { StatusGlyph } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { isOpenTask } from './queries.ts'
import { SubjectOfTask } from './subject.tsx'

export const taskColumns: readonly Column<Task>[] = [
  {
    name: t('word.status'),
    width: '20px',
    phone: 'lead',
    isNameHidden: true,
    cell: ({ status }) => (
      <span role="img" aria-label={label('taskStatus', status)} title={label('taskStatus', status)}>
        <StatusGlyph status={status} />
      </span>
    ),
  },
  { name: t('word.ref'), width: '76px', phone: 'meta', fit: refOf, cell: refOf },
  {
    name: t('task.one'),
    sort: 'title',
    width: 'minmax(0, 1fr)',
    phone: 'title',
    cell: (task) => (
      <Title>
        <TaskLink item={task} />
      </Title>
    ),
  },
  {
    name: t('task.for'),
    width: '128px',
    from: 820,
    cell: (task) => <SubjectOfTask task={task} />,
  },
  {
    name: t('word.assignee'),
    sort: 'assignee',
    width: '150px',
    narrow: '20px',
    cell: ({ assignee_user_id }) => (
      <PersonById userId={assignee_user_id} missing={t('word.unassigned')} />
    ),
  },
  {
    name: t('word.due'),
    sort: 'due_on',
    width: '96px',
    phone: 'end',
    cell: (task) => <When day={task.due_on} isDone={!isOpenTask(task)} />,
  },
]
