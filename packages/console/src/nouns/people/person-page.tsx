import { Button } from '@mantine/core'
import type { Assignment, Person } from '@muster/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { personAddress } from '#data/addresses.ts'
import { useAuthorNames, useMissingScopeReason } from '#data/whoami.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { BulkBar } from '#kit/list/bulk-bar.tsx'
import { SectionedList } from '#kit/list/sectioned-list.tsx'
import { type Selection, useSelection } from '#kit/list/selection.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { Avatar } from '#kit/parts/person.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { Activity } from '#kit/record/activity.tsx'
import { Neighbours } from '#kit/record/neighbours.tsx'
import { RecordHead, RecordNotice, RecordPage, RecordSection } from '#kit/record/record-page.tsx'
import { RecordRoute } from '#kit/record/record-route.tsx'
import { groupNamesQuery } from '#kit/references/groups.ts'
import { t } from '#text/index.ts'

import { personQuery } from './actions.ts'
import { countsOf, countsText, useAssignments } from './assignments.ts'
import { DepartureNotice } from './departure-notice.tsx'
import { mailto } from './email-link.tsx'
import { personFields } from './fields.ts'
import { InlinePersonLink } from './inline-person-link.tsx'
import { type OpenPersonDialog, usePersonDialogs, usePersonMenu } from './person-dialogs.tsx'
import { PersonProperties } from './person-properties.tsx'
import { directoryByName, directoryPages, personHistory } from './queries.ts'
import { workColumns, workSections } from './work.tsx'

const crumbs = [{ to: '/people', text: t('people.title') }] as const

export function PersonPage() {
  const { user_id: id } = useParams({ from: '/signed-in/people/$user_id' })
  return (
    <RecordRoute query={personQuery({ id })} title={t('people.title')} crumbs={crumbs}>
      {(person) => <PersonRecord key={person.id} person={person} />}
    </RecordRoute>
  )
}

interface Props {
  readonly person: Person
}

function PersonRecord({ person }: Props) {
  const { open, dialog } = usePersonDialogs()
  const menuOf = usePersonMenu()
  const selection = useSelection()
  const { items } = useAssignments(person.id)
  const reason = useMissingScopeReason('projects.manage')
  // Items that were handed over are no longer selected.
  const selected = items.filter(({ id }) => selection.ids.has(id))
  const shown = { ...selection, ids: new Set(selected.map(({ id }) => id)) }
  const handOver = (some?: readonly Assignment[]) => open('reassign', person, some)
  return (
    <RecordPage
      title={person.name}
      crumbs={crumbs}
      name={person.name}
      neighbours={
        <Neighbours
          id={person.id}
          source={directoryPages(directoryByName)}
          linkTo={personAddress}
        />
      }
      actions={
        <>
          {person.email && (
            <Button component="a" href={mailto(person.email)}>
              {personFields.email.label}
            </Button>
          )}
          <ActionMenu of={person.name} groups={menuOf(person, open)} />
          {items.length > 0 && (
            <ActionButton variant="filled" reason={reason} onClick={() => handOver()}>
              {t('person.reassign.open')}
            </ActionButton>
          )}
        </>
      }
      properties={<PersonProperties person={person} />}
      floating={
        <BulkBar selection={shown}>
          <Button variant="filled" onClick={() => handOver(selected)}>
            {t('person.reassign.selected')}
          </Button>
        </BulkBar>
      }
    >
      <Head person={person} />
      <StatusNotice person={person} open={open} />
      <DepartureNotice person={person} open={open} />
      <Work person={person} selection={reason === null ? shown : undefined} onHandOver={handOver} />
      <History person={person} />
      {dialog}
    </RecordPage>
  )
}

function Head({ person }: Props) {
  const { name, title, department, status, manager_user_id } = person
  return (
    <RecordHead
      over={
        <>
          <Avatar name={name} size={40} isInactive={status !== 'active'} />
          <StatusName set="personStatus" status={status} />
          {title && <span>{title}</span>}
          {department && <span>{department}</span>}
          {manager_user_id && (
            <span>
              {personFields.manager_user_id.label} <InlinePersonLink userId={manager_user_id} />
            </span>
          )}
        </>
      }
      title={name}
    />
  )
}

/** What the status means, with the action that ends it. */
function StatusNotice({ person, open }: Props & { readonly open: OpenPersonDialog }) {
  const reason = useMissingScopeReason('personnel.manage')
  if (person.erased_at !== null) return <RecordNotice>{t('person.is-erased')}</RecordNotice>
  if (person.status === 'active') return null
  const isSuspended = person.status === 'suspended'
  const action = isSuspended ? 'resume' : 'rejoin'
  return (
    <RecordNotice
      action={
        <ActionButton size="compact-sm" reason={reason} onClick={() => open(action, person)}>
          {t(`person.${action}`)}
        </ActionButton>
      }
    >
      {t(isSuspended ? 'person.suspended.notice' : 'person.departed.notice')}
    </RecordNotice>
  )
}

interface WorkProps extends Props {
  /** Undefined if the work cannot be handed over. */
  readonly selection: Selection | undefined
  readonly onHandOver: (items: readonly Assignment[]) => void
}

/** Assigned work by due date. */
function Work({ person, selection, onHandOver }: WorkProps) {
  const { query, items, hiddenReason, hasMore } = useAssignments(person.id)
  return (
    <RecordSection
      title={t('person.assigned')}
      aside={items.length > 0 && countsText(countsOf(items))}
      actions={
        hasMore && (
          <Button size="compact-sm" variant="subtle" onClick={() => void query.fetchNextPage()}>
            {t('list.more')}
          </Button>
        )
      }
    >
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {hiddenReason}
      {query.isSuccess && (
        <SectionedList
          label={t('person.assigned')}
          columns={workColumns}
          sections={workSections(items)}
          selection={selection}
          nameOf={({ ref, title }) => `${ref} ${title}`}
          {...(selection && {
            actions: (item: Assignment) => (
              <Button size="compact-sm" onClick={() => onHandOver([item])}>
                {t('person.reassign.open')}
              </Button>
            ),
          })}
          empty={
            <EmptyState
              title={t('person.assigned.none')}
              advice={t('person.assigned.none.about')}
            />
          }
        />
      )}
    </RecordSection>
  )
}

function History({ person }: Props) {
  const history = useInfiniteQuery(personHistory(person, useAuthorNames()))
  const { data: groups = new Map<string, string>() } = useQuery(groupNamesQuery)
  return <Activity query={history} names={groups} />
}
