import { Group } from '@mantine/core'
import type { Person } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { personAddress } from '#data/addresses.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { type CreateButton, useCreateButton } from '#kit/form/create-button.tsx'
import { IconUpload } from '#kit/icons/index.tsx'
import { useListQuery } from '#kit/list/list-query.ts'
import { RecordList } from '#kit/list/record-list.tsx'
import type { Selection } from '#kit/list/selection.ts'
import { lastChange, type SortChoice } from '#kit/list/sort.ts'
import { useView } from '#kit/list/views.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { ButtonLink } from '#kit/parts/links.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { useNamesByPage } from '#kit/references/people.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { AddToGroup } from './add-to-group.tsx'
import { personFields } from './fields.ts'
import { peopleColumns } from './people-columns.tsx'
import { usePeopleFilters } from './people-filters.ts'
import { NewPersonDialog, usePersonDialogs, usePersonMenu } from './person-dialogs.tsx'
import { PersonPeek } from './person-peek.tsx'
import { directoryByName, directoryCount, directoryPages } from './queries.ts'

const sorts: readonly SortChoice[] = [
  { value: 'name', label: personFields.name.label },
  { value: 'title', label: personFields.title.label },
  { value: 'department', label: personFields.department.label },
  { value: '-created_at', label: t('word.newest') },
  lastChange,
]

export function PeoplePage() {
  const view = useView()
  const list = useListQuery({
    fields: usePeopleFilters(view),
    sorts,
    // The views besides the roster are statuses.
    viewQuery: { ...directoryByName, ...(view !== '' && { status: view }) },
  })
  const create = useCreateButton(newPerson)
  const { open, dialog } = usePersonDialogs()
  const menuOf = usePersonMenu()
  // Departed people cannot join a group, and nothing else is done for several.
  const canSelect = list.filter['status'] !== 'departed'
  return (
    <RecordList<Person>
      title={t('people.title')}
      list={list}
      views={useViews()}
      file={{ path: '/v1/personnel', name: 'people' }}
      print={{ path: '/print/people' }}
      links={<ImportLink />}
      create={create}
      rows={{
        label: t('people.list'),
        columns: peopleColumns,
        nameOf: ({ name }) => name,
        actions: (person) => <ActionMenu of={person.name} groups={menuOf(person, open)} />,
        empty:
          list.isFiltered || view !== '' ? (
            <EmptyState title={t('people.no-match')} advice={t('people.no-match.about')} />
          ) : (
            <NoPeople create={create} />
          ),
      }}
      pages={directoryPages(list.query)}
      linkTo={personAddress}
      peek={(props) => <PersonPeek key={props.item.id} {...props} open={open} />}
      bulk={canSelect ? (selection) => <BulkActions selection={selection} /> : null}
    >
      {dialog}
    </RecordList>
  )
}

const newPerson = {
  noun: 'person',
  label: t('people.add'),
  scope: 'personnel.manage',
  Dialog: NewPersonDialog,
} as const

/** The roster and each status, with the number of people. */
function useViews() {
  const { data: active } = useQuery(directoryCount({ status: 'active' }))
  const { data: suspended } = useQuery(directoryCount({ status: 'suspended' }))
  const { data: departed } = useQuery(directoryCount({ status: 'departed' }))
  const isCounted = typeof active === 'number' && typeof suspended === 'number'
  return [
    { key: '', name: t('people.view.roster'), count: isCounted ? active + suspended : null },
    { key: 'active', name: label('personStatus', 'active'), count: active },
    { key: 'suspended', name: label('personStatus', 'suspended'), count: suspended },
    { key: 'departed', name: label('personStatus', 'departed'), count: departed },
  ]
}

const ImportLink = () => (
  <ButtonLink
    to="/import"
    search={{}}
    variant="subtle"
    color="gray"
    visibleFrom="sm"
    leftSection={<IconUpload size={16} />}
  >
    {t('import.title')}
  </ButtonLink>
)

const NoPeople = ({ create }: { readonly create: CreateButton }) => (
  <EmptyState title={t('people.none')} advice={t('people.none.about')}>
    <Group justify="center">
      <ActionButton onClick={create.open} reason={create.reason}>
        {t('people.add')}
      </ActionButton>
      <ButtonLink to="/import" search={{}}>
        {t('people.none.import')}
      </ButtonLink>
    </Group>
  </EmptyState>
)

/** The people of one lookup. */
const lookupMax = 200

/** What can be done for several people: they join a group. */
function BulkActions({ selection }: { readonly selection: Selection }) {
  const reason = useMissingScopeReason('personnel.manage')
  const ids = [...selection.ids]
  const lookups = Array.from({ length: Math.ceil(ids.length / lookupMax) }, (_, at) =>
    ids.slice(at * lookupMax, (at + 1) * lookupMax),
  )
  const names = useNamesByPage(lookups)
  return (
    <AddToGroup
      people={ids.map((id) => ({ id, name: names.get(id) ?? '…' }))}
      reason={reason}
      onDone={selection.clear}
    />
  )
}
