import type { AuditEntry, AuditType } from '@muster/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { allItems } from '#data/lists.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { SettingsPage } from '#frame/settings-page.tsx'
import { ExportButton } from '#kit/list/export-button.tsx'
import type { FilterField } from '#kit/list/filter-menu.tsx'
import { ListToolbar } from '#kit/list/list-page.tsx'
import { useListQuery } from '#kit/list/list-query.ts'
import { List } from '#kit/list/list.tsx'
import { useView } from '#kit/list/views.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { useNamesByPage } from '#kit/references/people.tsx'
import { formatLongDay } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { auditColumns } from './audit-columns.tsx'
import { auditPages } from './queries.ts'

export function AuditPage() {
  const reason = useMissingScopeReason('workspace.read')
  if (reason === null) return <AuditLog />
  return (
    <SettingsPage title={t('audit.title')}>
      <EmptyState title={t('audit.hidden')} advice={reason} />
    </SettingsPage>
  )
}

/** The types of the entries in each view other than “All”. */
const viewTypes: Readonly<Record<string, readonly AuditType[]>> = {
  access: [
    'access.updated',
    'link.created',
    'key.created',
    'key.rotated',
    'key.revoked',
    'key.updated',
    'membership.updated',
    'group.archived',
    'group.restored',
    'person.suspended',
    'person.resumed',
    'person.departed',
    'person.rejoined',
    'workspace.updated',
    'passkey.created',
    'passkey.removed',
    'provider.updated',
    'provider.removed',
    'identity.bound',
    'identity.confirmed',
    'person.erased',
    'identity.changed',
    'identity.removed',
  ],
  refused: ['sign_in.failed', 'request.refused'],
}

const views = [
  { key: '', name: t('word.all') },
  { key: 'access', name: t('audit.view.access') },
  { key: 'refused', name: t('audit.view.refused') },
]

const personField: FilterField = { name: 'user_id', label: t('word.person'), kind: 'person' }
const typeField: FilterField = {
  name: 'type',
  label: t('audit.type'),
  kind: 'enum',
  set: 'auditType',
}

/** Sign-ins and changes of access by day, newest first. */
function AuditLog() {
  const types = viewTypes[useView()]
  const { fields, filters, query } = useListQuery({
    fields: types ? [personField] : [typeField, personField],
    sorts: [],
    ...(types && { viewQuery: { type: types.join(',') } }),
  })
  return (
    <SettingsPage
      title={t('audit.title')}
      about={t('audit.about')}
      actions={<ExportButton path="/v1/audit" query={query} name="audit-log" />}
      list={
        <>
          <ListToolbar views={views} filters={filters} fields={fields} display={{}} />
          <Entries query={query} />
        </>
      }
    />
  )
}

function Entries({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const options = auditPages(query)
  const entries = useInfiniteQuery({ ...options, placeholderData: keepPreviousData })
  const pages = entries.data?.pages ?? []
  const names = useNamesByPage(
    pages.map(({ data }) => data.flatMap(({ user_id, actor }) => [user_id, actor.user_id])),
  )
  const columns = useMemo(() => auditColumns(names), [names])
  return (
    <List
      label={t('audit.list')}
      columns={columns}
      query={entries}
      queryKey={options.queryKey}
      total={entries.hasNextPage ? null : allItems(entries.data).length}
      hasRank={false}
      groupOf={dayOf}
      empty={<EmptyState title={t('audit.none')} advice={t('audit.none.about')} />}
    />
  )
}

function dayOf({ occurred_at }: AuditEntry) {
  const name = formatLongDay(occurred_at)
  return { key: name, name, count: null }
}
