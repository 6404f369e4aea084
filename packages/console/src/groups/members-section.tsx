import { useDisclosure } from '@mantine/hooks'
import type { Group } from '@muster/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'

import { allItems } from '#api/lists.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { EnumFilter, FilterBar } from '#ui/filter-bar.tsx'
import { useFilters } from '#ui/filters.ts'
import { LazyDialog } from '#ui/lazy-dialog.tsx'
import { EmptyState, Section } from '#ui/page.tsx'

import { removeMembers } from './actions.ts'
import { MemberList } from './member-list.tsx'
import { OrderSelect } from './order-select.tsx'
import { memberPages } from './queries.ts'
import { useReadOnlyReason } from './reasons.ts'
import { SelectionBar } from './selection-bar.tsx'

const AddMembersDialog = lazyRouteComponent(
  () => import('./add-members-dialog.tsx'),
  'AddMembersDialog',
)

const roster = ['active', 'suspended']

/** The members of a group: search, add, remove, change leads. */
export function MembersSection({ group }: { readonly group: Group }) {
  const filters = useFilters(['q', 'status'])
  const order = useFilters(['sort'])
  const reason = useReadOnlyReason(group)
  const [isAdding, { open, close }] = useDisclosure(false)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const query = useInfiniteQuery({
    ...memberPages(group.id, { ...filters.values, ...order.values }),
    placeholderData: keepPreviousData,
  })
  const people = allItems(query.data)
  const total = query.data?.pages[0]?.total_count ?? null
  // Only listed members are removed. A selected id that is no longer listed is ignored.
  const chosen = people.filter(({ id }) => selected.has(id))
  const add = (
    <ActionButton reason={reason} onClick={open}>
      {t('members.add')}
    </ActionButton>
  )
  const isFiltered = filters.count > 0
  const isEmpty = query.isSuccess && people.length === 0 && !isFiltered
  return (
    <Section title={t('members.title')} rightSection={isEmpty ? null : add}>
      {!isEmpty && (
        <>
          <FilterBar filters={filters} label={t('members.filters')}>
            <EnumFilter
              filters={filters}
              name="status"
              label={t('members.status')}
              set="personStatus"
              only={roster}
            />
            <OrderSelect
              order={order}
              choices={{
                '': t('groups.order.name'),
                '-created_at': t('groups.order.newest'),
                created_at: t('groups.order.oldest'),
              }}
            />
          </FilterBar>
          <SelectionBar
            people={people}
            chosen={chosen}
            total={total}
            reason={reason}
            onSelect={(ids) => setSelected(new Set(ids))}
            onRemove={() => {
              setSelected(new Set())
              void removeMembers(group, chosen)
            }}
          />
        </>
      )}
      <MemberList
        group={group}
        query={query}
        total={total}
        reason={reason}
        selected={selected}
        onSelect={setSelected}
        empty={isFiltered ? <NoMatches /> : <NoMembers>{add}</NoMembers>}
      />
      <LazyDialog isOpen={isAdding}>
        <AddMembersDialog group={group} onClose={close} />
      </LazyDialog>
    </Section>
  )
}

function NoMatches() {
  return <EmptyState title={t('members.no-match')} advice={t('members.no-match.about')} />
}

function NoMembers({ children }: { readonly children: ReactNode }) {
  return (
    <EmptyState title={t('members.none')} advice={t('members.none.about')}>
      {children}
    </EmptyState>
  )
}
