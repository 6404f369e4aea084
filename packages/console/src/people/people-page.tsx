import { Group } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useSearch } from '@tanstack/react-router'

import type { Search } from '#api/search.ts'
import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { useFilters } from '#ui/filters.ts'
import { LazyDialog } from '#ui/lazy-dialog.tsx'
import { ButtonLink } from '#ui/links.tsx'
import { EmptyState, Page } from '#ui/page.tsx'

import { DirectoryList } from './directory-list.tsx'
import { peopleFilterNames, PeopleFilters } from './people-filters.tsx'
import { directoryCount, directoryPages } from './queries.ts'
import { useDialog } from './use-dialog.ts'

const NewPersonDialog = lazyRouteComponent(
  () => import('./new-person-dialog.tsx'),
  'NewPersonDialog',
)

export function PeoplePage() {
  const filters = useFilters(peopleFilterNames)
  const { sort = 'name' } = useSearch({ strict: false }) as Search
  const people = useInfiniteQuery(directoryPages(filters.values, sort))
  const { data: total } = useQuery(directoryCount(filters.values))
  const { opened, open, close } = useDialog<true>()
  const reason = useMissingScopeReason('personnel.manage')
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
            <EmptyState title={t('people.no-match')} advice={t('people.no-match.about')} />
          ) : (
            <NoPeople onAdd={() => open(true)} reason={reason} />
          )
        }
      />
      <LazyDialog isOpen={opened !== null}>
        <NewPersonDialog onClose={close} />
      </LazyDialog>
    </Page>
  )
}

interface NoPeopleProps {
  readonly onAdd: () => void
  readonly reason: string | null
}

function NoPeople({ onAdd, reason }: NoPeopleProps) {
  return (
    <EmptyState title={t('people.none')} advice={t('people.none.about')}>
      <Group justify="center">
        <ActionButton onClick={onAdd} reason={reason} variant="default">
          {t('people.add')}
        </ActionButton>
        <ButtonLink to="/import" search={{}} variant="default">
          {t('people.none.import')}
        </ButtonLink>
      </Group>
    </EmptyState>
  )
}
