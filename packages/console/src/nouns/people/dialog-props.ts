import type { Assignment, Person } from '@muster/contract'

import type { DialogProps } from '#kit/form/dialogs.tsx'

import type { HandoverResult } from './actions.ts'

/** The props of the dialogs about a person. */
export interface PersonDialogProps extends DialogProps<Person> {
  /** Receives the result of a handover or a departure, which a receipt shows. */
  readonly onResult: (result: HandoverResult) => void
  /** The work to hand over; all assigned work if it is undefined. */
  readonly items?: readonly Assignment[] | undefined
}
