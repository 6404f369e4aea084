import { Group } from '@mantine/core'
import type { Person } from '@muster/contract'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useNavigate } from '@tanstack/react-router'

import { fromList } from '#data/order.ts'
import { type Search, stringifySearch } from '#data/search.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { useCreateDialog } from '#kit/form/create-dialog.ts'
import { IconPlus, IconUpload } from '#kit/icons/index.tsx'
import { ExportButton } from '#kit/list/export-button.tsx'
import { useFilters } from '#kit/list/filters.ts'
import { ListPage } from '#kit/list/list-page.tsx'
import { List } from '#kit/list/list.tsx'
import { useSelection } from '#kit/list/selection.ts'
import { lastChange, type ListSort, type SortChoice, useSort } from '#kit/list/sort.ts'
import { usePeek } from '#kit/list/use-peek.ts'
import { useView } from '#kit/list/views.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { ButtonLink } from '#kit/parts/links.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { PeopleBulkBar } from './people-bulk-bar.tsx'
import { peopleColumns } from './people-columns.tsx'
import { usePeopleFields } from './people-fields.ts'
import { usePersonDialogs, usePersonMenu } from './person-dialogs.tsx'
import { PersonPeek } from './person-peek.tsx'
import { directoryCount, directoryPages } from './queries.ts'

const NewPersonDialog = lazyRouteComponent(
  () => import('./new-person-dialog.tsx'),
  'NewPersonDialog',
)

const filterNames = ['q', 'department', 'title', 'group_id', 'manager_user_id']
const sorts: readonly SortChoice[] = [
  { value: 'name', label: t('people.name') },
  { value: 'title', label: t('people.job') },
  { value: 'department', label: t('people.department') },
  { value: '-created_at', label: t('people.order.newest') },
  lastChange,
]

export function PeoplePage() {
  const view = useView()
  // The other views are statuses themselves.
  const filters = useFilters(view === '' ? [...filterNames, 'status'] : filterNames)
  const fields = usePeopleFields(filters, view === '')
  const query = { ...filters.values, ...(view !== '' && { status: view }) }
  const sort = useSort(sorts)
  const sorted = { ...query, sort: sort.value }
  const reason = useMissingScopeReason('personnel.manage')
  const { isOpen, open, close } = useCreateDialog('person', reason)
  const { start, dialog } = usePersonDialogs()
  const peek = usePeek<Person>()
  return (
    <ListPage
      title={t('people.title')}
      actions={
        <>
          <ExportButton path="/v1/personnel" query={sorted} name="people" />
          <ButtonLink
            to="/import"
            search={{}}
            variant="subtle"
            color="gray"
            visibleFrom="sm"
            leftSection={<IconUpload size={16} />}
          >
            {t('people.import')}
          </ButtonLink>
          <ActionButton
            variant="filled"
            leftSection={<IconPlus size={16} />}
            onClick={open}
            reason={reason}
          >
            {t('people.add')}
          </ActionButton>
        </>
      }
      views={useViews()}
      filters={filters}
      fields={fields}
      display={{ sort, printPath: `/print/people${stringifySearch(sorted)}` }}
      peek={
        peek.item && (
          <PersonPeek key={peek.item.id} seen={peek.item} onClose={peek.close} start={start} />
        )
      }
    >
      <PeopleList
        query={query}
        sort={sort}
        peek={peek}
        start={start}
        empty={
          filters.count > 0 || view !== '' ? (
            <EmptyState title={t('people.no-match')} advice={t('people.no-match.about')} />
          ) : (
            <NoPeople onAdd={open} reason={reason} />
          )
        }
      />
      {dialog}
      <LazyDialog isOpen={isOpen}>
        <NewPersonDialog onClose={close} />
      </LazyDialog>
    </ListPage>
  )
}

/** The roster and each status, with the number of people. */
function useViews() {
  const { data: active } = useQuery(directoryCount({ status: 'active' }))
  const { data: suspended } = useQuery(directoryCount({ status: 'suspended' }))
  const { data: departed } = useQuery(directoryCount({ status: 'departed' }))
  const isCounted = typeof active === 'number' && typeof suspended === 'number'
  return [
    { key: '', name: t('people.view.roster'), count: isCounted ? active + suspended : null },
    { key: 'active', name: label('personStatus', 'active'), count: active },
    { key: 'suspended', name: label('personStatus', 'suspended'), count: suspended },
    { key: 'departed', name: label('personStatus', 'departed'), count: departed },
  ]
}

interface ListProps {
  readonly query: Search
  readonly sort: ListSort
  readonly peek: ReturnType<typeof usePeek<Person>>
  readonly start: ReturnType<typeof usePersonDialogs>['start']
  readonly empty: React.ReactNode
}

function PeopleList({ query, sort, peek, start, empty }: ListProps) {
  const source = directoryPages(query, sort.value)
  const people = useInfiniteQuery({ ...source, placeholderData: keepPreviousData })
  const navigate = useNavigate()
  const selection = useSelection()
  const menuOf = usePersonMenu()
  return (
    <>
      <List
        label={t('people.list')}
        sort={sort}
        columns={peopleColumns}
        query={people}
        source={source}
        total={people.data?.pages[0]?.total_count ?? null}
        // Departed people cannot join a group, and nothing else is done for several.
        selection={query['status'] === 'departed' ? undefined : selection}
        nameOf={({ name }) => name}
        peekedId={peek.item?.id ?? null}
        onPeek={peek.onPeek}
        onOpen={({ id }) =>
          void navigate({ to: '/people/$user_id', params: { user_id: id }, state: fromList })
        }
        actions={(person) => <ActionMenu of={person.name} groups={menuOf(person, start)} />}
        empty={empty}
      />
      <PeopleBulkBar selection={selection} />
    </>
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
        <ActionButton onClick={onAdd} reason={reason}>
          {t('people.add')}
        </ActionButton>
        <ButtonLink to="/import" search={{}}>
          {t('people.none.import')}
        </ButtonLink>
      </Group>
    </EmptyState>
  )
}
