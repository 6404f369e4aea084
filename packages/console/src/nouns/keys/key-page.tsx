import type { Key } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { useMissingScopeReason, useWhoami } from '#data/whoami.ts'
import { copyLink } from '#kit/feedback/copy-link.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { PagePending } from '#kit/parts/page-states.tsx'
import { Page } from '#kit/parts/page.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { RecordHead, RecordPage } from '#kit/record/record-page.tsx'
import { t } from '#text/index.ts'

import { useKeyDialogs, useKeyMenu } from './key-dialogs.tsx'
import { Hint } from './key-link.tsx'
import { ExpiryNotice } from './key-notices.tsx'
import { KeyProperties } from './key-properties.tsx'
import { keyQuery } from './queries.ts'
import { RenewButton } from './renew-button.tsx'
import { Scopes } from './scopes.tsx'

import classes from './keys.module.css'

const crumbs = [
  <AnchorLink key="keys" to="/keys" search={{}} inherit>
    {t('keys.title')}
  </AnchorLink>,
]

export function KeyPage() {
  const { key_id } = useParams({ from: '/signed-in/keys/$key_id' })
  const { key: own } = useWhoami()
  const hidden = useMissingScopeReason('keys.read')
  // A key can see itself without `keys.read`.
  const seenHere = hidden !== null && own?.id === key_id ? own : null
  const { data, error } = useQuery({ ...keyQuery(key_id), enabled: seenHere === null })
  const key = seenHere ?? data
  if (key) return <KeyRecord key={key.id} apiKey={key} isOwn={own?.id === key.id} />
  if (error === null) return <PagePending />
  return (
    <Page title={t('keys.title')} breadcrumbs={crumbs}>
      <ProblemNotice error={error} />
    </Page>
  )
}

interface Props {
  /** The prop is not named `key`, because React reserves that name. */
  readonly apiKey: Key
  readonly isOwn: boolean
}

function KeyRecord({ apiKey: key, isOwn }: Props) {
  const { start, dialog } = useKeyDialogs()
  const menuOf = useKeyMenu()
  const copy = { name: t('record.copy-link'), onClick: () => void copyLink(`/keys/${key.id}`) }
  const groups = [...menuOf(key, start, ['edit']), [copy], ...menuOf(key, start, ['revoke'])]
  return (
    <RecordPage
      title={key.name}
      crumbs={crumbs}
      name={key.name}
      actions={
        <>
          <ActionMenu of={key.name} groups={groups} />
          <RenewButton variant="filled" apiKey={key} start={start} />
        </>
      }
      properties={<KeyProperties apiKey={key} />}
    >
      <RecordHead
        over={
          <>
            <StatusName set="keyStatus" status={key.status} />
            <Hint hint={key.hint} />
            {isOwn && <span className={classes.yours}>{t('keys.own')}</span>}
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
