import type { Person } from '@muster/contract'
import { useState } from 'react'

import type { HandoverResult } from './actions.ts'

/** The props of all dialogs about a person. */
export interface DialogProps {
  /** The person as they were when the dialog opened. */
  readonly person: Person
  readonly onClose: () => void
  /** Receives the result of a handover or a departure, which the page shows. */
  readonly onResult: (result: HandoverResult) => void
}

/**
 * The state of the open dialog, or null. The dialog keeps the data that it was opened with, because
 * background refetches must not change it.
 */
export function useDialog<T>() {
  const [opened, open] = useState<T | null>(null)
  return { opened, open, close: () => open(null) }
}
