import { NativeSelect } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'

import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { FilterBar } from '#ui/filter-bar.tsx'
import { type Filters, useFilters } from '#ui/filters.ts'
import { Empty, Page } from '#ui/page.tsx'
import { WhileOpen } from '#ui/while-open.tsx'

import { GroupsList } from './groups-list.tsx'
import { OrderSelect } from './order-select.tsx'
import { groupPages } from './queries.ts'

const NewGroupDialog = lazyRouteComponent(() => import('./new-group-dialog.tsx'), 'NewGroupDialog')

/** Every group: what it is for, who leads it, and how many belong to it. */
export function GroupsPage() {
  const filters = useFilters(['q', 'status'])
  const order = useFilters(['sort'])
  const reason = useReasonAgainst('personnel.manage')
  const [isAdding, { open, close }] = useDisclosure(false)
  const query = useInfiniteQuery({
    ...groupPages({ ...filters.values, ...order.values }),
    // While one types, what was found last stays in place.
    placeholderData: keepPreviousData,
  })
  const add = (
    <ActionButton onClick={open} reason={reason}>
      {t('groups.new')}
    </ActionButton>
  )
  const empty =
    filters.count > 0 ? (
      <Empty title={t('groups.no-match')} advice={t('groups.no-match.about')} />
    ) : (
      <Empty title={t('groups.none')} advice={t('groups.none.about')}>
        {add}
      </Empty>
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
      <WhileOpen isOpen={isAdding}>
        <NewGroupDialog onClose={close} />
      </WhileOpen>
    </Page>
  )
}

/** Archived groups are out of the way until they are asked for. */
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
