import type { Person } from '@muster/contract'

import type { Column } from '#kit/list/columns.ts'
import {
  departmentColumn,
  nameColumn,
  statusColumn,
  titleColumn,
} from '#kit/list/person-columns.tsx'
import { FirstGroup } from '#kit/references/group-links.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { t } from '#text/index.ts'

import { personFields } from './fields.ts'

export const peopleColumns: readonly Column<Person>[] = [
  nameColumn(),
  titleColumn,
  departmentColumn,
  {
    name: personFields.manager_user_id.label,
    width: 'minmax(0, 1fr)',
    from: 820,
    cell: ({ manager_user_id: id }) => (id === null ? t('value.none') : <PersonById userId={id} />),
  },
  {
    name: t('groups.title'),
    width: 'minmax(0, 1fr)',
    from: 820,
    cell: ({ group_ids }) => <FirstGroup groupIds={group_ids} />,
  },
  statusColumn,
]
