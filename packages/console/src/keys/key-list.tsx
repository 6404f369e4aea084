import { NativeSelect, Stack } from '@mantine/core'
import type { Key } from '@muster/contract'
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'

import { allItems, type ListResponse } from '#api/lists.ts'
import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { type Filters, useFilters } from '#ui/filters.ts'
import { ListSection } from '#ui/list-section.tsx'
import { EmptyState, Section } from '#ui/page.tsx'
import { Tiles } from '#ui/tiles.tsx'
import { VirtualTable } from '#ui/virtual-table.tsx'

import { keyColumns } from './key-columns.tsx'
import { keyPages } from './queries.ts'
import { byUrgency, isUrgent, type ListedKey, warnings, withWarnings } from './warnings.ts'

/** The keys of the workspace, or the reason why they are hidden. */
export function KeyList() {
  const reason = useMissingScopeReason('keys.read')
  if (reason === null) return <AllKeys />
  return (
    <Section title={t('keys.list')}>
      <EmptyState title={t('keys.list.unseen')} advice={reason} />
    </Section>
  )
}

/** Sorts by urgency if all pages are loaded; otherwise keeps the order of the API. */
function selectKeys({ pages, pageParams }: InfiniteData<ListResponse<Key>>) {
  const keys = withWarnings(allItems({ pages }))
  const isWhole = pages.at(-1)?.next_cursor === null
  return { pages: [{ data: isWhole ? keys.toSorted(byUrgency) : keys }], pageParams }
}

function AllKeys() {
  const filters = useFilters(['status', 'care'])
  const { status, care: warning } = filters.values
  const query = useInfiniteQuery({ ...keyPages(status), select: selectKeys })
  const keys = allItems(query.data)
  const hasActive = status === undefined || filters.getAll('status').includes('active')
  const shown = warning === undefined ? keys : keys.filter((key) => hasWarning(key, warning))
  const filteredQuery = { ...query, ...(query.data && { data: { pages: [{ data: shown }] } }) }
  const tiles = warnings.map((each) => ({
    name: t(`keys.attention.${each}`),
    filter: { care: each },
    count: query.data && keys.filter((key) => hasWarning(key, each)).length,
    isWarning: isUrgent(each),
  }))
  return (
    <Stack gap="md">
      {hasActive && (
        <Tiles
          label={t('keys.attention')}
          tiles={tiles}
          filters={filters}
          cols={{ base: 2, md: warnings.length }}
        />
      )}
      <ListSection
        title={t('keys.list')}
        count={query.data ? t('keys.count', { count: shown.length }) : ''}
        rightSection={<StatusSelect filters={filters} />}
      >
        <VirtualTable
          label={t('keys.list')}
          columns={keyColumns}
          query={filteredQuery as typeof query}
          total={query.hasNextPage ? null : shown.length}
          empty={<EmptyState title={t('keys.no-match')} advice={t('keys.no-match.about')} />}
        />
      </ListSection>
    </Stack>
  )
}

const hasWarning = (key: ListedKey, warning: string) =>
  key.warnings.some((each) => each === warning)

/** Revoked keys are hidden by default. */
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
