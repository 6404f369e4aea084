import type { Assignment, Person } from '@muster/contract'

import type { HandoverResult } from './actions.ts'

/** The props of all dialogs about a person. */
export interface DialogProps {
  /** The person as they were when the dialog opened. */
  readonly person: Person
  readonly onClose: () => void
  /** Receives the result of a handover or a departure, which a receipt shows. */
  readonly onResult: (result: HandoverResult) => void
  /** The work to hand over; all assigned work if it is undefined. */
  readonly items?: readonly Assignment[] | undefined
}
