import type { NewSecret } from '@muster/contract'
import { type ReactNode, useEffect, useState } from 'react'

import { deferSignOut } from '#data/query-client.ts'
import { ShownOnceDialog } from '#kit/form/shown-once-dialog.tsx'
import { CopyableText } from '#kit/parts/copyable-text.tsx'
import { t } from '#text/index.ts'

interface FlowProps {
  readonly onClose: () => void
  /** Renders the dialog that creates the key. */
  readonly children: (onCreated: (created: NewSecret) => void) => ReactNode
}

/**
 * First the dialog that creates a key, then the dialog with its secret. The secret is only in this
 * state and is discarded on close. Rotating one's own key may end the session, so sign-out is
 * deferred until the secret dialog closes.
 */
export function SecretFlow({ onClose, children }: FlowProps) {
  const [created, setCreated] = useState<NewSecret | null>(null)
  useEffect(() => deferSignOut({ asks: false }), [])
  return created === null ? (
    children(setCreated)
  ) : (
    <ShownOnceDialog
      title={t('key.secret.title', { name: created.name })}
      notice={{ title: t('key.secret.once'), about: t('key.secret.once.about') }}
      submit={t('key.secret.kept')}
      onClose={onClose}
    >
      <CopyableText name={t('key.secret')} text={created.secret} isFirst />
      <CopyableText name={t('key.secret.curl')} text={curlOf(created.secret)} />
    </ShownOnceDialog>
  )
}

const curlOf = (secret: string) =>
  `curl -H 'Authorization: Bearer ${secret}' ${location.origin}/v1/whoami`
