import type { Group } from '@muster/contract'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'

import { searchFilter } from '#kit/fields/field-filters.ts'
import { useCreateButton } from '#kit/form/create-button.tsx'
import type { Column } from '#kit/list/columns.ts'
import type { FilterField } from '#kit/list/filter-menu.tsx'
import { useListQuery } from '#kit/list/list-query.ts'
import { RecordList } from '#kit/list/record-list.tsx'
import { lastChange, type SortChoice } from '#kit/list/sort.ts'
import { Title } from '#kit/list/title.tsx'
import { useView } from '#kit/list/views.tsx'
import { Age } from '#kit/parts/age.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { useNamesByPage } from '#kit/references/people.tsx'
import { formatNumber, t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { groupFields } from './fields.ts'
import { groupCount, groupPages, shownLeadsMax } from './queries.ts'

const fields: readonly FilterField[] = [searchFilter]

const sorts: readonly SortChoice[] = [
  { value: 'name', label: t('word.group') },
  { value: '-created_at', label: t('word.newest') },
  lastChange,
]

/** The groups by name, which is not the order of the API. */
const activeGroups = { sort: 'name' }
const archivedGroups = { ...activeGroups, status: 'archived' }

export function GroupsPage() {
  const isArchived = useView() === 'archived'
  const viewQuery = isArchived ? archivedGroups : activeGroups
  const list = useListQuery({ fields, sorts, viewQuery })
  const create = useCreateButton(newGroup)
  const { data: active } = useQuery(groupCount('active'))
  const { data: archived } = useQuery(groupCount('archived'))
  const isEmpty = active === 0 && archived === 0
  const pages = groupPages(list.query)
  const names = useLeadNames(pages)
  return (
    <RecordList<Group>
      title={t('groups.title')}
      list={list}
      views={[
        { key: '', name: label('groupStatus', 'active'), count: active },
        { key: 'archived', name: label('groupStatus', 'archived'), count: archived },
      ]}
      file={{ path: '/v1/groups', name: 'groups' }}
      print={{ path: '/print/groups' }}
      create={isEmpty ? { ...create, button: null } : create}
      rows={{
        label: t('groups.title'),
        columns: columnsWith(names),
        empty: isEmpty ? (
          <EmptyState title={t('groups.none')} advice={t('groups.none.about')}>
            {create.button}
          </EmptyState>
        ) : (
          <EmptyState title={t('groups.no-match')} advice={t('groups.no-match.about')} />
        ),
      }}
      pages={pages}
      linkTo={linkTo}
    />
  )
}

const newGroup = {
  noun: 'group',
  label: t('groups.new'),
  scope: 'personnel.manage',
  Dialog: lazyRouteComponent(() => import('./group-form.tsx'), 'NewGroupDialog'),
} as const

const linkTo = ({ id }: Group) => ({ to: '/groups/$group_id' as const, params: { group_id: id } })

/** The names of the leads that the list shows. It shares the query of the list. */
function useLeadNames(pages: ReturnType<typeof groupPages>): ReadonlyMap<string, string> {
  const { data } = useInfiniteQuery({ ...pages, placeholderData: keepPreviousData })
  return useNamesByPage(
    (data?.pages ?? []).map((page) =>
      page.data.flatMap((group) => group.lead_user_ids.slice(0, shownLeadsMax)),
    ),
  )
}

const columnsWith = (names: ReadonlyMap<string, string>): readonly Column<Group>[] => [
  {
    name: t('word.group'),
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
    name: groupFields.description.label,
    width: 'minmax(0, 2fr)',
    from: 820,
    cell: ({ description }) => <span title={description ?? undefined}>{description}</span>,
  },
  {
    name: t('word.leads'),
    width: 'minmax(0, 1fr)',
    phone: 'meta',
    cell: ({ lead_user_ids }) => leadsText(lead_user_ids, names),
  },
  {
    name: t('groups.changed'),
    width: '112px',
    from: 1100,
    cell: ({ updated_at }) => <Age at={updated_at} />,
  },
  {
    name: t('word.members'),
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
