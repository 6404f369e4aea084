import { NativeSelect, Stack } from '@mantine/core'
import type { Key } from '@muster/contract'
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'

import { type Answer, itemsOf } from '#api/lists.ts'
import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { type Filters, useFilters } from '#ui/filters.ts'
import { ListSection } from '#ui/list-section.tsx'
import { Empty, Section } from '#ui/page.tsx'
import { RankedList } from '#ui/ranked-list.tsx'
import { Tiles } from '#ui/tiles.tsx'

import { byUrgency, cares, isUrgent, type ListedKey, withCares } from './care.ts'
import { keyColumns } from './key-columns.tsx'
import { keyPages } from './queries.ts'

/** The keys of the workspace, for whoever may see them; whoever may not is told why. */
export function KeyList() {
  const reason = useReasonAgainst('keys.read')
  if (reason === null) return <EveryKey />
  return (
    <Section title={t('keys.list')}>
      <Empty title={t('keys.list.unseen')} advice={reason} />
    </Section>
  )
}

/** Revoked keys are told in the order of the service: there may be pages of them to come. */
function listed({ pages, pageParams }: InfiniteData<Answer<Key>>) {
  const keys = withCares(itemsOf({ pages }))
  const isWhole = pages.at(-1)?.next_cursor === null
  return { pages: [{ data: isWhole ? keys.toSorted(byUrgency) : keys }], pageParams }
}

function EveryKey() {
  const filters = useFilters(['status', 'care'])
  const { status, care } = filters.values
  const query = useInfiniteQuery({ ...keyPages(status), select: listed })
  const keys = itemsOf(query.data)
  const hasActive = status === undefined || filters.listOf('status').includes('active')
  const shown = care === undefined ? keys : keys.filter((key) => isIn(key, care))
  const narrowed = { ...query, ...(query.data && { data: { pages: [{ data: shown }] } }) }
  const tiles = cares.map((each) => ({
    name: t(`keys.care.${each}`),
    filter: { care: each },
    count: query.data && keys.filter((key) => isIn(key, each)).length,
    isCare: isUrgent(each),
  }))
  return (
    <Stack gap="md">
      {hasActive && (
        <Tiles
          label={t('keys.care')}
          tiles={tiles}
          filters={filters}
          cols={{ base: 2, md: cares.length }}
        />
      )}
      <ListSection
        title={t('keys.list')}
        count={query.data ? t('keys.count', { count: shown.length }) : ''}
        beside={<StatusSelect filters={filters} />}
      >
        <RankedList
          label={t('keys.list')}
          columns={keyColumns}
          query={narrowed as typeof query}
          total={query.hasNextPage ? null : shown.length}
          empty={<Empty title={t('keys.no-match')} advice={t('keys.no-match.about')} />}
        />
      </ListSection>
    </Stack>
  )
}

const isIn = (key: ListedKey, care: string) => key.cares.some((each) => each === care)

/** Revoked keys are out of the way until they are asked for. */
function StatusSelect({ filters }: { readonly filters: Filters }) {
  return (
    <NativeSelect
      aria-label={t('keys.status')}
      className="no-print"
      value={filters.values['status'] ?? ''}
      onChange={({ currentTarget }) => filters.set({ status: currentTarget.value, care: null })}
      data={[
        { value: '', label: t('keys.status.usual') },
        { value: 'active', label: label('keyStatus', 'active') },
        { value: 'expired', label: label('keyStatus', 'expired') },
        { value: 'revoked', label: label('keyStatus', 'revoked') },
        { value: 'active,expired,revoked', label: t('keys.status.all') },
      ]}
    />
  )
}
