import type { Group } from '@muster/contract'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useNavigate } from '@tanstack/react-router'

import { type Search, stringifySearch } from '#data/search.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { useCreateDialog } from '#kit/form/create-dialog.ts'
import { IconPlus } from '#kit/icons/index.tsx'
import type { Column } from '#kit/list/columns.ts'
import { ExportButton } from '#kit/list/export-button.tsx'
import { useFilters } from '#kit/list/filters.ts'
import { ListPage } from '#kit/list/list-page.tsx'
import { List } from '#kit/list/list.tsx'
import { lastChange, type ListSort, type SortChoice, useSort } from '#kit/list/sort.ts'
import { Title } from '#kit/list/title.tsx'
import { useView } from '#kit/list/views.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { useNamesByPage } from '#kit/references/people.tsx'
import { formatAge, formatInstant } from '#text/dates.ts'
import { formatNumber, t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { groupCount, groupPages, shownLeadsMax } from './queries.ts'

const NewGroupDialog = lazyRouteComponent(() => import('./new-group-dialog.tsx'), 'NewGroupDialog')

const sorts: readonly SortChoice[] = [
  { value: 'name', label: t('groups.column.group') },
  { value: '-created_at', label: t('groups.order.newest') },
  lastChange,
]

export function GroupsPage() {
  const view = useView()
  const filters = useFilters(['q'])
  const sort = useSort(sorts)
  const query = {
    ...filters.values,
    ...(view === 'archived' && { status: view }),
    sort: sort.value,
  }
  const reason = useMissingScopeReason('personnel.manage')
  const { isOpen, open, close } = useCreateDialog('group', reason)
  const add = (
    <ActionButton
      variant="filled"
      leftSection={<IconPlus size={16} />}
      onClick={open}
      reason={reason}
    >
      {t('groups.new')}
    </ActionButton>
  )
  const { data: active } = useQuery(groupCount('active'))
  const { data: archived } = useQuery(groupCount('archived'))
  const isEmpty = active === 0 && archived === 0
  return (
    <ListPage
      title={t('groups.title')}
      actions={
        <>
          <ExportButton path="/v1/groups" query={query} name="groups" />
          {!isEmpty && add}
        </>
      }
      views={[
        { key: '', name: label('groupStatus', 'active'), count: active },
        { key: 'archived', name: label('groupStatus', 'archived'), count: archived },
      ]}
      filters={filters}
      fields={[{ name: 'q', label: t('filter.search'), kind: 'search' }]}
      display={{
        sort,
        printPath: `/print/groups${stringifySearch(query)}`,
      }}
    >
      <GroupList
        query={query}
        sort={sort}
        empty={
          isEmpty ? (
            <EmptyState title={t('groups.none')} advice={t('groups.none.about')}>
              {add}
            </EmptyState>
          ) : (
            <EmptyState title={t('groups.no-match')} advice={t('groups.no-match.about')} />
          )
        }
      />
      <LazyDialog isOpen={isOpen}>
        <NewGroupDialog onClose={close} />
      </LazyDialog>
    </ListPage>
  )
}

interface ListProps {
  readonly query: Search
  readonly sort: ListSort
  readonly empty: React.ReactNode
}

function GroupList({ query, sort, empty }: ListProps) {
  const groups = useInfiniteQuery({
    ...groupPages(query),
    // Keep the previous results while the next search loads.
    placeholderData: keepPreviousData,
  })
  const pages = groups.data?.pages ?? []
  const names = useNamesByPage(
    pages.map(({ data }) => data.flatMap((group) => group.lead_user_ids.slice(0, shownLeadsMax))),
  )
  const navigate = useNavigate()
  return (
    <List
      label={t('groups.list')}
      sort={sort}
      columns={columnsWith(names)}
      query={groups}
      total={pages[0]?.total_count ?? null}
      onOpen={({ id }) =>
        void navigate({ to: '/groups/$group_id', params: { group_id: id }, search: {} })
      }
      empty={empty}
    />
  )
}

const columnsWith = (names: ReadonlyMap<string, string>): readonly Column<Group>[] => [
  {
    name: t('groups.column.group'),
    sort: 'name',
    width: 'minmax(0, 1fr)',
    phone: 'title',
    cell: ({ id, name }) => (
      <Title>
        <AnchorLink to="/groups/$group_id" params={{ group_id: id }} search={{}} inherit>
          {name}
        </AnchorLink>
      </Title>
    ),
  },
  {
    name: t('group.description'),
    width: 'minmax(0, 2fr)',
    from: 820,
    cell: ({ description }) => <span title={description ?? undefined}>{description}</span>,
  },
  {
    name: t('groups.leads'),
    width: 'minmax(0, 1fr)',
    phone: 'meta',
    cell: ({ lead_user_ids }) => leadsText(lead_user_ids, names),
  },
  {
    name: t('groups.changed'),
    width: '112px',
    from: 1100,
    cell: ({ updated_at }) => (
      <time dateTime={updated_at} title={formatInstant(updated_at)}>
        {formatAge(updated_at)}
      </time>
    ),
  },
  {
    name: t('groups.members'),
    width: '72px',
    phone: 'end',
    cell: ({ member_count }) => <span className="number">{formatNumber(member_count)}</span>,
  },
]

function leadsText(ids: readonly string[], names: ReadonlyMap<string, string>): string {
  if (ids.length === 0) return t('groups.no-lead')
  const shown = ids.slice(0, shownLeadsMax).map((id) => names.get(id) ?? '…')
  const others = ids.length - shown.length
  return [...shown, ...(others > 0 ? [t('groups.more-leads', { count: others })] : [])].join(', ')
}
