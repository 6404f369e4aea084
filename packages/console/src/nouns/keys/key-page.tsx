import type { Key } from '@muster/contract'
import { useParams } from '@tanstack/react-router'

import { useMissingScopeReason, useWhoami } from '#data/whoami.ts'
import { copyLink } from '#kit/feedback/copy-link.ts'
import { StatusName } from '#kit/parts/status.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { RecordHead, RecordPage } from '#kit/record/record-page.tsx'
import { RecordRoute } from '#kit/record/record-route.tsx'
import { t } from '#text/index.ts'

import { keyQuery } from './actions.ts'
import { RenewButton, useKeyMenu } from './key-actions.tsx'
import { useKeyDialogs } from './key-dialogs.ts'
import { Hint } from './key-link.tsx'
import { ExpiryNotice } from './key-notices.tsx'
import { KeyProperties } from './key-properties.tsx'
import { Scopes } from './scopes.tsx'

import classes from './keys.module.css'

const crumbs = [{ to: '/keys', text: t('keys.title') }] as const

export function KeyPage() {
  const { key_id } = useParams({ from: '/signed-in/keys/$key_id' })
  const { key: own } = useWhoami()
  const hidden = useMissingScopeReason('keys.read')
  // A key can see itself without `keys.read`.
  if (hidden !== null && own?.id === key_id) return <KeyRecord apiKey={own} isOwn />
  return (
    <RecordRoute query={keyQuery({ id: key_id })} title={t('keys.title')} crumbs={crumbs}>
      {(key) => <KeyRecord key={key.id} apiKey={key} isOwn={own?.id === key.id} />}
    </RecordRoute>
  )
}

interface Props {
  /** The prop is not named `key`, because React reserves that name. */
  readonly apiKey: Key
  readonly isOwn: boolean
}

function KeyRecord({ apiKey: key, isOwn }: Props) {
  const { open, dialog } = useKeyDialogs()
  const menuOf = useKeyMenu(open)
  const copy = { name: t('record.copy-link'), onClick: () => void copyLink(`/keys/${key.id}`) }
  const groups = [...menuOf(key, ['edit']), [copy], ...menuOf(key, ['revoke'])]
  return (
    <RecordPage
      title={key.name}
      crumbs={crumbs}
      name={key.name}
      actions={
        <>
          <ActionMenu of={key.name} groups={groups} />
          <RenewButton variant="filled" apiKey={key} open={open} />
        </>
      }
      properties={<KeyProperties apiKey={key} />}
    >
      <RecordHead
        over={
          <>
            <StatusName set="keyStatus" status={key.status} />
            <Hint hint={key.hint} />
            {isOwn && <span className={classes.yours}>{t('shell.key')}</span>}
          </>
        }
        title={key.name}
      />
      <ExpiryNotice apiKey={key} />
      <Scopes held={key.scopes} />
      {dialog}
    </RecordPage>
  )
}
