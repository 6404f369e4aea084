import { Group } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useSearch } from '@tanstack/react-router'

import type { Search } from '#api/search.ts'
import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { useFilters } from '#ui/filters.ts'
import { ButtonTo } from '#ui/links.tsx'
import { Empty, Page } from '#ui/page.tsx'
import { WhileOpen } from '#ui/while-open.tsx'

import { DirectoryList } from './directory-list.tsx'
import { useOpener } from './opener.ts'
import { peopleFilterNames, PeopleFilters } from './people-filters.tsx'
import { directoryCount, directoryPages } from './queries.ts'

const NewPersonDialog = lazyRouteComponent(
  () => import('./new-person-dialog.tsx'),
  'NewPersonDialog',
)

/** Everyone, and where to find anyone. */
export function PeoplePage() {
  const filters = useFilters(peopleFilterNames)
  const { sort = 'name' } = useSearch({ strict: false }) as Search
  const people = useInfiniteQuery(directoryPages(filters.values, sort))
  const { data: total } = useQuery(directoryCount(filters.values))
  const { opened, open, close } = useOpener<true>()
  const reason = useReasonAgainst('personnel.manage')
  const add = (
    <ActionButton onClick={() => open(true)} reason={reason}>
      {t('people.add')}
    </ActionButton>
  )
  return (
    <Page title={t('people.title')} actions={add}>
      <PeopleFilters filters={filters} />
      <DirectoryList
        query={people}
        total={total}
        sort={sort}
        onSort={(order) => filters.set({ sort: order === 'name' ? null : order })}
        empty={
          filters.count > 0 ? (
            <Empty title={t('people.no-match')} advice={t('people.no-match.about')} />
          ) : (
            <NobodyYet onAdd={() => open(true)} reason={reason} />
          )
        }
      />
      <WhileOpen isOpen={opened !== null}>
        <NewPersonDialog onClose={close} />
      </WhileOpen>
    </Page>
  )
}

interface NobodyProps {
  readonly onAdd: () => void
  readonly reason: string | null
}

function NobodyYet({ onAdd, reason }: NobodyProps) {
  return (
    <Empty title={t('people.none')} advice={t('people.none.about')}>
      <Group justify="center">
        <ActionButton onClick={onAdd} reason={reason} variant="default">
          {t('people.add')}
        </ActionButton>
        <ButtonTo to="/import" search={{}} variant="default">
          {t('people.none.import')}
        </ButtonTo>
      </Group>
    </Empty>
  )
}
