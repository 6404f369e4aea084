import { Grid, Stack } from '@mantine/core'
import type { Person } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useParams } from '@tanstack/react-router'
import { type ComponentType, useState } from 'react'

import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { StatusBadge } from '#ui/level.tsx'
import { AnchorTo } from '#ui/links.tsx'
import { PagePending } from '#ui/page-states.tsx'
import { Page } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'
import { WhileOpen } from '#ui/while-open.tsx'

import type { Done } from './actions.ts'
import { GroupsSection, HistorySection, ReportsSection } from './around-sections.tsx'
import { DetailsSection } from './details-section.tsx'
import { HeldSection } from './held-section.tsx'
import { LifeSection } from './life-section.tsx'
import { type DialogProps, useOpener } from './opener.ts'
import { personQuery } from './queries.ts'
import { type LifeChange, reasonInState } from './reasons.ts'
import { Receipt } from './receipt.tsx'

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

/** One person: who they are, what they hold, what became of them, and what can be done. */
export function PersonPage() {
  const { user_id } = useParams({ from: '/signed-in/people/$user_id' })
  const { data: person, error } = useQuery(personQuery(user_id))
  // What is open or shown of one person is not carried to the page of the next.
  if (person) return <Someone key={user_id} person={person} />
  if (error === null) return <PagePending />
  return (
    <Page title={t('people.title')} trail={[<ToPeople key="people" />]}>
      <ProblemNotice error={error} />
    </Page>
  )
}

type Action = LifeChange | 'edit' | 'reassign'

const dialogs: Readonly<Record<Action, ComponentType<DialogProps>>> = {
  edit: EditPersonDialog,
  suspend: SuspendDialog,
  resume: ResumeDialog,
  depart: DepartDialog,
  rejoin: RejoinDialog,
  reassign: ReassignDialog,
  erase: EraseDialog,
}

function Someone({ person }: { readonly person: Person }) {
  const { opened, open, close } = useOpener<{ action: Action; person: Person }>()
  const [done, setDone] = useState<Done | null>(null)
  const against = useReasonAgainst('personnel.manage')
  const start = (action: Action) => open({ action, person })
  const Dialog = opened && dialogs[opened.action]
  return (
    <Page
      title={person.name}
      beside={<StatusBadge set="personStatus" status={person.status} />}
      trail={[<ToPeople key="people" />]}
      actions={
        <ActionButton
          reason={against ?? reasonInState('edit', person)}
          onClick={() => start('edit')}
        >
          {t('person.edit')}
        </ActionButton>
      }
    >
      {done && <Receipt person={person} done={done} onClose={() => setDone(null)} />}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <DetailsSection person={person} />
            <LifeSection person={person} onChange={start} />
            <HeldSection person={person} onHandOver={() => start('reassign')} />
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
      <WhileOpen isOpen={opened !== null}>
        {opened && Dialog && <Dialog person={opened.person} onClose={close} onDone={setDone} />}
      </WhileOpen>
    </Page>
  )
}

function ToPeople() {
  return (
    <AnchorTo to="/people" search={{}} size="sm">
      {t('people.title')}
    </AnchorTo>
  )
}
