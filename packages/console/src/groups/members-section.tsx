import { useDisclosure } from '@mantine/hooks'
import type { Group } from '@muster/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'

import { itemsOf } from '#api/lists.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { FilterBar, WordsFilter } from '#ui/filter-bar.tsx'
import { useFilters } from '#ui/filters.ts'
import { Empty, Section } from '#ui/page.tsx'
import { WhileOpen } from '#ui/while-open.tsx'

import { removeMembers } from './actions.ts'
import { MemberList } from './member-list.tsx'
import { OrderSelect } from './order-select.tsx'
import { memberPages } from './queries.ts'
import { useReasonAgainstChange } from './reasons.ts'
import { SelectionBar } from './selection-bar.tsx'

const AddMembersDialog = lazyRouteComponent(
  () => import('./add-members-dialog.tsx'),
  'AddMembersDialog',
)

const roster = ['active', 'suspended']

/** Who belongs to the group: found, added, removed, and made to lead. */
export function MembersSection({ group }: { readonly group: Group }) {
  const filters = useFilters(['q', 'status'])
  const order = useFilters(['sort'])
  const reason = useReasonAgainstChange(group)
  const [isAdding, { open, close }] = useDisclosure(false)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const query = useInfiniteQuery({
    ...memberPages(group.id, { ...filters.values, ...order.values }),
    placeholderData: keepPreviousData,
  })
  const people = itemsOf(query.data)
  const total = query.data?.pages[0]?.total_count ?? null
  // Whoever is gone, or not among those shown, is not removed with the rest.
  const chosen = people.filter(({ id }) => selected.has(id))
  const add = (
    <ActionButton reason={reason} onClick={open}>
      {t('members.add')}
    </ActionButton>
  )
  const isFiltered = filters.count > 0
  const isEmpty = query.isSuccess && people.length === 0 && !isFiltered
  return (
    <Section title={t('members.title')} beside={isEmpty ? null : add}>
      {!isEmpty && (
        <>
          <FilterBar filters={filters} label={t('members.filters')}>
            <WordsFilter
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
        empty={isFiltered ? <NobodyMatches /> : <NobodyYet>{add}</NobodyYet>}
      />
      <WhileOpen isOpen={isAdding}>
        <AddMembersDialog group={group} onClose={close} />
      </WhileOpen>
    </Section>
  )
}

function NobodyMatches() {
  return <Empty title={t('members.no-match')} advice={t('members.no-match.about')} />
}

function NobodyYet({ children }: { readonly children: ReactNode }) {
  return (
    <Empty title={t('members.none')} advice={t('members.none.about')}>
      {children}
    </Empty>
  )
}
