import { NativeSelect } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'

import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { FilterBar } from '#ui/filter-bar.tsx'
import { type Filters, useFilters } from '#ui/filters.ts'
import { LazyDialog } from '#ui/lazy-dialog.tsx'
import { EmptyState, Page } from '#ui/page.tsx'

import { GroupsList } from './groups-list.tsx'
import { OrderSelect } from './order-select.tsx'
import { groupPages } from './queries.ts'

const NewGroupDialog = lazyRouteComponent(() => import('./new-group-dialog.tsx'), 'NewGroupDialog')

export function GroupsPage() {
  const filters = useFilters(['q', 'status'])
  const order = useFilters(['sort'])
  const reason = useMissingScopeReason('personnel.manage')
  const [isAdding, { open, close }] = useDisclosure(false)
  const query = useInfiniteQuery({
    ...groupPages({ ...filters.values, ...order.values }),
    // Keep the previous results while the next search loads.
    placeholderData: keepPreviousData,
  })
  const add = (
    <ActionButton onClick={open} reason={reason}>
      {t('groups.new')}
    </ActionButton>
  )
  const empty =
    filters.count > 0 ? (
      <EmptyState title={t('groups.no-match')} advice={t('groups.no-match.about')} />
    ) : (
      <EmptyState title={t('groups.none')} advice={t('groups.none.about')}>
        {add}
      </EmptyState>
    )
  const isEmpty = filters.count === 0 && query.data?.pages[0]?.data.length === 0
  return (
    <Page title={t('groups.title')} actions={isEmpty ? null : add}>
      <FilterBar filters={filters} label={t('groups.filters')}>
        <StatusSelect filters={filters} />
        <OrderSelect
          order={order}
          choices={{
            '': t('groups.order.name'),
            '-created_at': t('groups.order.newest'),
            created_at: t('groups.order.oldest'),
            '-updated_at': t('groups.order.changed'),
          }}
        />
      </FilterBar>
      <GroupsList query={query} empty={empty} />
      <LazyDialog isOpen={isAdding}>
        <NewGroupDialog onClose={close} />
      </LazyDialog>
    </Page>
  )
}

/** Archived groups are hidden by default. */
function StatusSelect({ filters }: { readonly filters: Filters }) {
  return (
    <NativeSelect
      label={t('groups.status')}
      value={filters.values['status'] ?? ''}
      onChange={({ currentTarget }) => filters.set({ status: currentTarget.value })}
      data={[
        { value: '', label: label('groupStatus', 'active') },
        { value: 'archived', label: label('groupStatus', 'archived') },
        { value: 'active,archived', label: t('groups.status.both') },
      ]}
    />
  )
}
