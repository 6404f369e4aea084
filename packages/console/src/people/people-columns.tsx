import type { Person } from '@muster/contract'

import { t } from '#text/index.ts'
import { AnchorLink } from '#ui/links.tsx'
import type { Column } from '#ui/list/columns.ts'
import { fromList } from '#ui/list/order.ts'
import { Title } from '#ui/list/title.tsx'
import { Avatar } from '#ui/parts/person.tsx'
import { StatusName } from '#ui/parts/status.tsx'
import { PersonById } from '#ui/people.tsx'

import { FirstGroup } from './group-links.tsx'

/** The name of a person as the title of a row. */
export const nameColumn = (end?: (person: Person) => React.ReactNode): Column<Person> => ({
  name: t('people.name'),
  sort: 'name',
  width: 'minmax(0, 1.3fr)',
  phone: 'title',
  cell: (person) => (
    <Title end={end?.(person)}>
      <Avatar name={person.name} isInactive={person.status !== 'active'} />
      <AnchorLink to="/people/$user_id" params={{ user_id: person.id }} state={fromList} inherit>
        {person.name}
      </AnchorLink>
    </Title>
  ),
})

export const titleColumn: Column<Person> = {
  name: t('people.job'),
  sort: 'title',
  width: 'minmax(0, 1.3fr)',
  phone: 'meta',
  cell: ({ title }) => title,
}

export const departmentColumn: Column<Person> = {
  name: t('people.department'),
  sort: 'department',
  width: 'minmax(0, 1fr)',
  from: 620,
  cell: ({ department }) => department,
}

export const statusColumn: Column<Person> = {
  name: t('people.status'),
  width: '92px',
  phone: 'end',
  // Nearly everyone is active, so only another status is worth a word.
  cell: ({ status }) => status !== 'active' && <StatusName set="personStatus" status={status} />,
}

export const peopleColumns: readonly Column<Person>[] = [
  nameColumn(),
  titleColumn,
  departmentColumn,
  {
    name: t('people.manager'),
    width: 'minmax(0, 1fr)',
    from: 820,
    cell: ({ manager_user_id: id }) => (id === null ? t('value.none') : <PersonById userId={id} />),
  },
  {
    name: t('people.groups'),
    width: 'minmax(0, 1fr)',
    from: 820,
    cell: ({ group_ids }) => <FirstGroup groupIds={group_ids} />,
  },
  statusColumn,
]
