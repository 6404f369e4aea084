import { Button } from '@mantine/core'
import type { Group, Person } from '@muster/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import { personAddress } from '#data/addresses.ts'
import { allItems } from '#data/lists.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { searchFilter } from '#kit/fields/field-filters.ts'
import { BulkBar } from '#kit/list/bulk-bar.tsx'
import type { FilterField } from '#kit/list/filter-menu.tsx'
import { ListToolbar } from '#kit/list/list-page.tsx'
import { useListQuery } from '#kit/list/list-query.ts'
import { List } from '#kit/list/list.tsx'
import {
  departmentColumn,
  nameColumn,
  statusColumn,
  titleColumn,
} from '#kit/list/person-columns.tsx'
import { useSelection } from '#kit/list/selection.ts'
import type { SortChoice } from '#kit/list/sort.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { Tags } from '#kit/parts/flags.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

import { removeMembers, setLead } from './actions.ts'
import { memberPages } from './queries.ts'
import { useReadOnlyReason } from './reasons.ts'

/** The API's limit of members per request. */
const removeMax = 1000

const fields: readonly FilterField[] = [
  searchFilter,
  {
    name: 'status',
    label: statusColumn.name,
    kind: 'enum',
    set: 'personStatus',
    only: ['active', 'suspended'],
  },
]

const sorts: readonly SortChoice[] = [
  { value: 'name', label: nameColumn.name },
  { value: 'title', label: titleColumn.name },
  { value: 'department', label: departmentColumn.name },
  { value: '-created_at', label: t('word.newest') },
]

/** The members that match the filters, and the selected ones among them. */
export function useMembers(group: Group) {
  const list = useListQuery({ fields, sorts })
  const selection = useSelection()
  const isReadOnly = useReadOnlyReason(group) !== null
  const pages = memberPages(group.id, list.query)
  const query = useInfiniteQuery({ ...pages, placeholderData: keepPreviousData })
  const people = allItems(query.data)
  // Only listed members are removed. A selected id that is no longer listed is ignored.
  const selected = people.filter(({ id }) => selection.ids.has(id))
  return {
    list,
    query,
    queryKey: pages.queryKey,
    people,
    total: query.data?.pages[0]?.total_count ?? null,
    selected,
    selection: { ...selection, ids: new Set(selected.map(({ id }) => id)) },
    isReadOnly,
  }
}

interface Props {
  readonly group: Group
  readonly members: ReturnType<typeof useMembers>
}

/** The members of a group: search, select, remove, change leads. */
export function Members({ group, members }: Props) {
  const { list, query, queryKey, total, selection, isReadOnly } = members
  const navigate = useNavigate()
  const isLead = ({ id }: Person) => group.lead_user_ids.includes(id)
  return (
    <>
      <ListToolbar filters={list.filters} fields={fields} display={{ sort: list.sort }} />
      <List
        label={t('word.members')}
        sort={list.sort}
        columns={[
          nameColumn((person) => isLead(person) && <Tags tags={[t('members.lead')]} />),
          titleColumn,
          departmentColumn,
          statusColumn,
        ]}
        query={query}
        queryKey={queryKey}
        total={total}
        nameOf={({ name }) => name}
        selection={isReadOnly ? undefined : selection}
        onOpen={({ id }) => void navigate(personAddress({ id }))}
        {...(group.status === 'active' && {
          actions: (person: Person) => <Actions person={person} group={group} />,
        })}
        empty={
          list.isFiltered ? (
            <EmptyState title={t('members.no-match')} advice={t('members.no-match.about')} />
          ) : (
            <EmptyState title={t('members.none')} advice={t('members.none.about')} />
          )
        }
      />
    </>
  )
}

interface ActionsProps {
  readonly person: Person
  readonly group: Group
}

function Actions({ person, group }: ActionsProps) {
  const reason = useMissingScopeReason('personnel.manage')
  const { id, name } = person
  const isLead = group.lead_user_ids.includes(id)
  return (
    <>
      <ActionButton
        size="compact-sm"
        reason={reason}
        aria-label={t(isLead ? 'members.end-lead-one' : 'members.make-lead-one', { name })}
        onClick={() => void setLead(group, person, !isLead)}
      >
        {t(isLead ? 'members.end-lead' : 'members.make-lead')}
      </ActionButton>
      <ActionButton
        size="compact-sm"
        reason={reason}
        aria-label={t('members.remove-one', { name })}
        onClick={() => void removeMembers(group, [person])}
      >
        {t('word.remove')}
      </ActionButton>
    </>
  )
}

export function MembersBulkBar({ group, members }: Props) {
  const { people, total, selected, selection } = members
  const count = people.length
  return (
    <BulkBar selection={selection}>
      {selected.length < count && (
        <Button variant="subtle" onClick={() => selection.add(people.map(({ id }) => id))}>
          {t(count === total ? 'members.select-all' : 'members.select-loaded', { count })}
        </Button>
      )}
      <ActionButton
        reason={selected.length > removeMax ? t('members.too-many', { max: removeMax }) : null}
        onClick={() => {
          selection.clear()
          void removeMembers(group, selected)
        }}
      >
        {t('members.remove-selected')}
      </ActionButton>
    </BulkBar>
  )
}
