import type { NewSecret } from '@muster/contract'
import { type ReactNode, useEffect, useState } from 'react'

import { holdPage } from '#api/cache.ts'

import { SecretDialog } from './secret-dialog.tsx'

interface Props {
  readonly onClose: () => void
  /** The dialog that makes a key, given what to do with it. */
  readonly children: (onMade: (made: NewSecret) => void) => ReactNode
}

/**
 * First the dialog that makes a key, then its secret. The secret lives here and is gone with the
 * dialog. Whoever rotates their own key may be signed out by it: not before they have kept the new
 * one.
 */
export function WithSecret({ onClose, children }: Props) {
  const [made, setMade] = useState<NewSecret | null>(null)
  useEffect(holdPage, [])
  return made === null ? children(setMade) : <SecretDialog made={made} onClose={onClose} />
}
