import { Grid, Stack } from '@mantine/core'
import type { Person } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useParams } from '@tanstack/react-router'
import { type ComponentType, useState } from 'react'

import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { LazyDialog } from '#ui/lazy-dialog.tsx'
import { StatusBadge } from '#ui/level.tsx'
import { AnchorLink } from '#ui/links.tsx'
import { PagePending } from '#ui/page-states.tsx'
import { Page } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import type { HandoverResult } from './actions.ts'
import { AssignmentsSection } from './assignments-section.tsx'
import { DetailsSection } from './details-section.tsx'
import { HandoverSummary } from './handover-summary.tsx'
import { personQuery } from './queries.ts'
import { type StatusAction, statusReason } from './reasons.ts'
import { GroupsSection, HistorySection, ReportsSection } from './related-sections.tsx'
import { StatusSection } from './status-section.tsx'
import { type DialogProps, useDialog } from './use-dialog.ts'

const DepartDialog = lazyRouteComponent(() => import('./depart-dialog.tsx'), 'DepartDialog')
const EditPersonDialog = lazyRouteComponent(
  () => import('./edit-person-dialog.tsx'),
  'EditPersonDialog',
)
const EraseDialog = lazyRouteComponent(() => import('./erase-dialog.tsx'), 'EraseDialog')
const ReassignDialog = lazyRouteComponent(() => import('./reassign-dialog.tsx'), 'ReassignDialog')
const statusDialogs = () => import('./status-dialogs.tsx')
const RejoinDialog = lazyRouteComponent(statusDialogs, 'RejoinDialog')
const ResumeDialog = lazyRouteComponent(statusDialogs, 'ResumeDialog')
const SuspendDialog = lazyRouteComponent(statusDialogs, 'SuspendDialog')

export function PersonPage() {
  const { user_id } = useParams({ from: '/signed-in/people/$user_id' })
  const { data: person, error } = useQuery(personQuery(user_id))
  // The key remounts the page for another person, so that no dialog or notice is carried over.
  if (person) return <PersonDetails key={user_id} person={person} />
  if (error === null) return <PagePending />
  return (
    <Page title={t('people.title')} breadcrumbs={[<PeopleLink key="people" />]}>
      <ProblemNotice error={error} />
    </Page>
  )
}

type Action = StatusAction | 'edit' | 'reassign'

const dialogs: Readonly<Record<Action, ComponentType<DialogProps>>> = {
  edit: EditPersonDialog,
  suspend: SuspendDialog,
  resume: ResumeDialog,
  depart: DepartDialog,
  rejoin: RejoinDialog,
  reassign: ReassignDialog,
  erase: EraseDialog,
}

function PersonDetails({ person }: { readonly person: Person }) {
  const { opened, open, close } = useDialog<{ action: Action; person: Person }>()
  const [result, setResult] = useState<HandoverResult | null>(null)
  const missingScope = useMissingScopeReason('personnel.manage')
  const start = (action: Action) => open({ action, person })
  const Dialog = opened && dialogs[opened.action]
  return (
    <Page
      title={person.name}
      rightSection={<StatusBadge set="personStatus" status={person.status} />}
      breadcrumbs={[<PeopleLink key="people" />]}
      actions={
        <ActionButton
          reason={missingScope ?? statusReason('edit', person)}
          onClick={() => start('edit')}
        >
          {t('person.edit')}
        </ActionButton>
      }
    >
      {result && (
        <HandoverSummary person={person} result={result} onClose={() => setResult(null)} />
      )}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <DetailsSection person={person} />
            <StatusSection person={person} onChange={start} />
            <AssignmentsSection person={person} onHandOver={() => start('reassign')} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack>
            <ReportsSection person={person} />
            <GroupsSection person={person} />
            <HistorySection person={person} />
          </Stack>
        </Grid.Col>
      </Grid>
      <LazyDialog isOpen={opened !== null}>
        {opened && Dialog && <Dialog person={opened.person} onClose={close} onResult={setResult} />}
      </LazyDialog>
    </Page>
  )
}

function PeopleLink() {
  return (
    <AnchorLink to="/people" search={{}} size="sm">
      {t('people.title')}
    </AnchorLink>
  )
}
