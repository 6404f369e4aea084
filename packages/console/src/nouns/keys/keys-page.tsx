import type { Key } from '@muster/contract'
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import { allItems, type ListResponse } from '#data/lists.ts'
import { useMissingScopeReason, useWhoami } from '#data/whoami.ts'
import { useKeptDisclosure } from '#kit/form/draft.ts'
import { IconPlus } from '#kit/icons/index.tsx'
import type { FilterField } from '#kit/list/filter-menu.tsx'
import { useFilters } from '#kit/list/filters.ts'
import { ListPage } from '#kit/list/list-page.tsx'
import { List } from '#kit/list/list.tsx'
import { type Peeked, usePeek } from '#kit/list/use-peek.ts'
import { useView, type ListView } from '#kit/list/views.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { ButtonLink } from '#kit/parts/links.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { useKeyMenu } from './key-actions.tsx'
import { keyColumns } from './key-columns.tsx'
import { NewKeyDialog, type OpenKeyDialog, useKeyDialogs } from './key-dialogs.ts'
import { KeyPeek } from './key-peek.tsx'
import { keyPages } from './queries.ts'
import { byUrgency, type ListedKey, warnings, withWarnings } from './warnings.ts'

export function KeysPage() {
  const hidden = useMissingScopeReason('keys.read')
  const view = useView()
  const filters = useFilters(['care'])
  const peek = usePeek<ListedKey>()
  const { open, dialog } = useKeyDialogs()
  return (
    <ListPage
      title={t('keys.title')}
      actions={<Actions />}
      views={useViews(hidden === null)}
      filters={filters}
      fields={view === 'revoked' || hidden !== null ? [] : [careFilter]}
      peek={peek.item && <KeyPeek listed={peek.item} onClose={peek.close} open={open} />}
    >
      {hidden === null ? (
        <KeyList view={view} care={filters.getAll('care')} peek={peek} open={open} />
      ) : (
        <Hidden reason={hidden} />
      )}
      {dialog}
    </ListPage>
  )
}

const careFilter: FilterField = {
  name: 'care',
  label: t('word.attention'),
  kind: 'choice',
  data: warnings.map((value) => ({ value, label: t(`keys.attention.${value}`) })),
}

interface KeysRequest {
  readonly view: string
  /** The warnings of which a key must have one; none for all keys. */
  readonly care: readonly string[]
}

/** The keys of a view. The console finds their warnings, so the API cannot filter by them. */
function useKeys({ view, care }: KeysRequest, enabled: boolean) {
  const isShown = (key: ListedKey) =>
    (view !== 'attention' || needsAttention(key)) &&
    (care.length === 0 || key.warnings.some((each) => care.includes(each)))
  return useInfiniteQuery({
    ...keyPages(view === 'revoked'),
    select: ({ pages, pageParams }: InfiniteData<ListResponse<Key>>) => {
      const keys = withWarnings(allItems({ pages }))
      // By urgency if all pages are loaded; otherwise in the order of the API.
      const isWhole = pages.at(-1)?.next_cursor === null
      const sorted = isWhole ? keys.toSorted(byUrgency) : keys
      return { pages: [{ data: sorted.filter(isShown) }], pageParams }
    },
    enabled,
  })
}

const needsAttention = (key: ListedKey) => key.warnings.length > 0

/** The numbers are known once all keys are loaded. Revoked keys are not counted. */
function useViews(enabled: boolean): readonly ListView[] {
  const { data, hasNextPage } = useKeys({ view: '', care: [] }, enabled)
  const keys = data && !hasNextPage ? allItems(data) : null
  return [
    { key: '', name: t('word.all'), count: keys && keys.length },
    {
      key: 'attention',
      name: t('word.attention'),
      count: keys && keys.filter(needsAttention).length,
    },
    { key: 'revoked', name: label('keyStatus', 'revoked') },
  ]
}

/** The references of the API and the button for a new key. */
function Actions() {
  const missingScope = useMissingScopeReason('keys.manage')
  const [isCreating, { open, close }] = useKeptDisclosure('keys/new')
  return (
    <>
      <ActionMenu
        of={t('keys.title')}
        groups={[
          [
            { name: t('keys.api.reference'), href: '/docs/api' },
            { name: t('keys.api.problems'), href: '/problems' },
          ],
        ]}
      />
      <ActionButton
        variant="filled"
        leftSection={<IconPlus size={16} />}
        reason={missingScope}
        onClick={open}
      >
        {t('keys.new')}
      </ActionButton>
      <LazyDialog isOpen={isCreating}>
        <NewKeyDialog onClose={close} />
      </LazyDialog>
    </>
  )
}

interface ListProps extends KeysRequest {
  readonly peek: Peeked<ListedKey>
  readonly open: OpenKeyDialog
}

function KeyList({ peek, open, ...request }: ListProps) {
  const navigate = useNavigate()
  const menuOf = useKeyMenu(open)
  const query = useKeys(request, true)
  return (
    <List
      label={t('keys.list')}
      columns={keyColumns}
      query={query}
      queryKey={keyPages(request.view === 'revoked').queryKey}
      total={query.hasNextPage ? null : allItems(query.data).length}
      peekedId={peek.item?.id ?? null}
      onPeek={peek.onPeek}
      onOpen={({ id }) =>
        void navigate({ to: '/keys/$key_id', params: { key_id: id }, search: {} })
      }
      actions={(key) => (
        <ActionMenu of={key.name} groups={menuOf(key, ['edit', 'rotate', 'revoke'])} />
      )}
      empty={<EmptyState title={t('keys.no-match')} advice={t('keys.no-match.about')} />}
    />
  )
}

/** A key that cannot list keys can still see itself. */
function Hidden({ reason }: { readonly reason: string }) {
  const { key } = useWhoami()
  return (
    <EmptyState title={t('keys.list.unseen')} advice={reason}>
      {key && (
        <ButtonLink to="/keys/$key_id" params={{ key_id: key.id }} search={{}}>
          {t('shell.key.look')}
        </ButtonLink>
      )}
    </EmptyState>
  )
}
