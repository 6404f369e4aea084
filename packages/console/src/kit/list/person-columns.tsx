import type { Person } from '@muster/contract'

import { fromList } from '#data/order.ts'
import { AnchorLink } from '#kit/parts/links.tsx'
import { Avatar } from '#kit/parts/person.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { t } from '#text/index.ts'

import type { Column } from './columns.ts'
import { Title } from './title.tsx'

/** The name of a person as the title of a row. */
export const nameColumn = (end?: (person: Person) => React.ReactNode): Column<Person> => ({
  name: t('word.name'),
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
  name: t('word.status'),
  width: '92px',
  phone: 'end',
  // Nearly everyone is active, so only another status is worth a word.
  cell: ({ status }) => status !== 'active' && <StatusName set="personStatus" status={status} />,
}
