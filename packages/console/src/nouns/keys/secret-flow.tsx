import type { NewSecret } from '@muster/contract'
import { type ReactNode, useEffect, useState } from 'react'

import { deferSignOut } from '#data/query-client.ts'

import { SecretDialog } from './secret-dialog.tsx'

interface Props {
  readonly onClose: () => void
  /** Renders the dialog that creates the key. */
  readonly children: (onCreated: (created: NewSecret) => void) => ReactNode
}

/**
 * First the dialog that creates a key, then the dialog with its secret. The secret is only in this
 * state and is discarded on close. Rotating one's own key may end the session, so sign-out is
 * deferred until the secret dialog closes.
 */
export function SecretFlow({ onClose, children }: Props) {
  const [created, setCreated] = useState<NewSecret | null>(null)
  useEffect(() => deferSignOut({ asks: false }), [])
  return created === null ? (
    children(setCreated)
  ) : (
    <SecretDialog created={created} onClose={onClose} />
  )
}
