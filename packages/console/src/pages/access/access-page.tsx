import { Alert } from '@mantine/core'
import type { AccessList } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentType, useState } from 'react'

import { useMissingScopeReason } from '#data/whoami.ts'
import { SettingsPage } from '#frame/settings-page.tsx'
import { useKeptState } from '#kit/form/draft.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

import { EntryList } from './entry-list.tsx'
import type { EntryAction, EntryDialogProps, ListDialogProps, NamedEntry } from './entry.ts'
import { accessQuery } from './queries.ts'
import { useSignInDialogs } from './sign-in-dialogs.ts'

const entryDialogs = () => import('./entry-dialogs.tsx')
const AddEntryDialog = lazyRouteComponent(entryDialogs, 'AddEntryDialog')
const dialogs: Readonly<Record<EntryAction, ComponentType<EntryDialogProps>>> = {
  change: lazyRouteComponent(entryDialogs, 'ChangeRoleDialog'),
  remove: lazyRouteComponent(entryDialogs, 'RemoveEntryDialog'),
}

/** Who has which role. */
export function AccessPage() {
  const reason = useMissingScopeReason('workspace.manage')
  if (reason === null) return <Access />
  return (
    <SettingsPage title={t('access.title')}>
      <EmptyState title={t('access.hidden')} advice={reason} />
    </SettingsPage>
  )
}

type Opened = { readonly seen: AccessList; readonly chosen: Chosen | null } | null

interface Chosen {
  readonly action: EntryAction
  readonly entry: NamedEntry
}

function Access() {
  const { data: list, error } = useQuery(accessQuery)
  const [opened, setOpened] = useKeptState<Opened>('access/dialog', null)
  const [isConflict, setConflict] = useState(false)
  const signIn = useSignInDialogs()
  const open = (chosen: Chosen | null) => {
    setConflict(false)
    if (list) setOpened({ seen: list, chosen })
  }
  return (
    <SettingsPage
      title={t('access.title')}
      about={t('access.about')}
      actions={
        <ActionButton variant="filled" disabled={!list} onClick={() => open(null)}>
          {t('access.add')}
        </ActionButton>
      }
    >
      {isConflict && (
        <Alert color="red" variant="light" role="alert" title={t('conflict.title')}>
          {t('access.conflict.about')}
        </Alert>
      )}
      <EntryList
        list={list}
        error={error}
        onAction={(action, entry) => open({ action, entry })}
        openSignIn={(action, person) => {
          setConflict(false)
          signIn.open(action, person)
        }}
      />
      {signIn.dialog}
      <LazyDialog isOpen={opened !== null}>
        {opened && (
          <OpenDialog
            {...opened}
            onClose={() => setOpened(null)}
            onConflict={() => setConflict(true)}
          />
        )}
      </LazyDialog>
    </SettingsPage>
  )
}

function OpenDialog({ chosen, ...props }: ListDialogProps & { readonly chosen: Chosen | null }) {
  if (chosen === null) return <AddEntryDialog {...props} />
  const Dialog = dialogs[chosen.action]
  return <Dialog {...props} entry={chosen.entry} />
}
