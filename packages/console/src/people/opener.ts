import type { Person } from '@muster/contract'
import { useState } from 'react'

import type { Done } from './actions.ts'

/** What every dialog about a person is given. */
export interface DialogProps {
  /** As they were when the dialog was opened. */
  readonly person: Person
  readonly onClose: () => void
  /** Told what was handed over and left, to be shown on the page. */
  readonly onDone: (done: Done) => void
}

/**
 * Which dialog is open, if any, and with what it began. A dialog is made anew each time it is
 * opened, so that it starts from the thing as it was seen then, whatever is read in the background.
 */
export function useOpener<T>() {
  const [opened, open] = useState<T | null>(null)
  return { opened, open, close: () => open(null) }
}
