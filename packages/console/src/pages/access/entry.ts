import type { AccessEntry, AccessList } from '@muster/contract'

export type EntryAction = 'change' | 'remove'

/** An entry with the name of its person or group. */
export interface NamedEntry extends AccessEntry {
  readonly name: string
}

export interface ListDialogProps {
  /** The list as it was when the dialog opened. */
  readonly seen: AccessList
  readonly onClose: () => void
  /** Runs if someone else has changed the list meanwhile. */
  readonly onConflict: () => void
}

export interface EntryDialogProps extends ListDialogProps {
  readonly entry: NamedEntry
}
