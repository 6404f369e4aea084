import type { Key } from '@muster/contract'
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useNavigate } from '@tanstack/react-router'

import { allItems, type ListResponse } from '#data/lists.ts'
import { useMissingScopeReason, useWhoami } from '#data/whoami.ts'
import { useKeptDisclosure } from '#kit/form/draft.ts'
import { IconPlus } from '#kit/icons/index.tsx'
import { useFilters } from '#kit/list/filters.ts'
import { ListPage } from '#kit/list/list-page.tsx'
import { List } from '#kit/list/list.tsx'
import { type Peeked, usePeek } from '#kit/list/use-peek.ts'
import { useView } from '#kit/list/views.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { ButtonLink } from '#kit/parts/links.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { keyColumns } from './key-columns.tsx'
import { type StartKeyAction, useKeyDialogs, useKeyMenu } from './key-dialogs.tsx'
import { KeyPeek } from './key-peek.tsx'
import { keyPages } from './queries.ts'
import { byUrgency, type ListedKey, warnings, withWarnings } from './warnings.ts'

const NewKeyDialog = lazyRouteComponent(() => import('./new-key-dialog.tsx'), 'NewKeyDialog')

export function KeysPage() {
  const hidden = useMissingScopeReason('keys.read')
  const view = useView()
  const filters = useFilters(['care'])
  const { keys, query } = useKeys(view, hidden === null)
  const peek = usePeek<ListedKey>()
  const { start, dialog } = useKeyDialogs()
  const peeked = peek.item && (keys.find(({ id }) => id === peek.item?.id) ?? peek.item)
  const isFiltered = filters.count > 0
  const shown = isFiltered
    ? keys.filter((key) => key.warnings.some((each) => filters.getAll('care').includes(each)))
    : keys
  return (
    <ListPage
      title={t('keys.title')}
      actions={<Actions />}
      views={useViews(hidden === null)}
      filters={filters}
      fields={
        view === 'revoked' || hidden !== null
          ? []
          : [{ name: 'care', label: t('keys.attention'), kind: 'choice', data: careChoices }]
      }
      peek={peeked && <KeyPeek apiKey={peeked} onClose={peek.close} start={start} />}
    >
      {hidden === null ? (
        <KeyList keys={shown} query={query} peek={peek} start={start} />
      ) : (
        <Hidden reason={hidden} />
      )}
      {dialog}
    </ListPage>
  )
}

const careChoices = warnings.map((value) => ({ value, label: t(`keys.attention.${value}`) }))

/** Sorts by urgency if all pages are loaded; otherwise keeps the order of the API. */
function selectKeys({ pages, pageParams }: InfiniteData<ListResponse<Key>>) {
  const keys = withWarnings(allItems({ pages }))
  const isWhole = pages.at(-1)?.next_cursor === null
  return { pages: [{ data: isWhole ? keys.toSorted(byUrgency) : keys }], pageParams }
}

/** The keys of a view. */
function useKeys(view: string, enabled: boolean) {
  const query = useInfiniteQuery({
    ...keyPages(view === 'revoked'),
    select: selectKeys,
    enabled,
  })
  const all = allItems(query.data)
  return { query, keys: view === 'attention' ? all.filter(needsAttention) : all }
}

const needsAttention = (key: ListedKey) => key.warnings.length > 0

/** The numbers are known once all keys are loaded. Revoked keys are not counted. */
function useViews(enabled: boolean) {
  const { data, hasNextPage } = useInfiniteQuery({
    ...keyPages(false),
    select: selectKeys,
    enabled,
  })
  const keys = data && !hasNextPage ? allItems(data) : null
  return [
    { key: '', name: t('keys.view.all'), count: keys && keys.length },
    {
      key: 'attention',
      name: t('keys.attention'),
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

interface ListProps {
  readonly keys: readonly ListedKey[]
  readonly query: ReturnType<typeof useKeys>['query']
  readonly peek: Peeked<ListedKey>
  readonly start: StartKeyAction
}

function KeyList({ keys, query, peek, start }: ListProps) {
  const navigate = useNavigate()
  const menuOf = useKeyMenu()
  const shown = { ...query, ...(query.data && { data: { pages: [{ data: keys }] } }) }
  return (
    <List
      label={t('keys.list')}
      columns={keyColumns}
      query={shown as unknown as typeof query}
      total={query.hasNextPage ? null : keys.length}
      peekedId={peek.item?.id ?? null}
      onPeek={peek.onPeek}
      onOpen={({ id }) =>
        void navigate({ to: '/keys/$key_id', params: { key_id: id }, search: {} })
      }
      actions={(key) => (
        <ActionMenu of={key.name} groups={menuOf(key, start, ['edit', 'rotate', 'revoke'])} />
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
