interface Promotion {
  readonly title: string
  /** The key of the person they report to from then on. */
  readonly manager: string
}

/** Something that happened to a person or a group. People are named by their keys. */
export type PeopleTurn =
  | { readonly person: string; readonly promoted: Promotion }
  | { readonly person: string; readonly suspended: string }
  | { readonly person: string; readonly resumed: string }
  | { readonly person: string; readonly departed: string }
  | { readonly person: string; readonly relieved_by: string }
  | { readonly person: string; readonly rejoined: string }
  | { readonly person: string; readonly erased: true }
  | { readonly group: string; readonly joined: readonly string[] }
  | { readonly group: string; readonly archived: true }

/**
 * Who moved up, paused, left and came back, in the order in which it happened. Everyone has their
 * work by then. When all of it has been told, forty people are on the roster.
 */
export const peopleTurns: readonly PeopleTurn[] = [
  { person: 'aino', departed: 'Sails round the world.' },
  { person: 'aino', rejoined: 'Back ashore sooner than planned.' },
  { group: 'Weekly risk meeting', joined: ['aino'] },

  { person: 'leila', promoted: { title: 'Senior instrumentation engineer', manager: 'asa' } },

  { person: 'lena', suspended: 'Jury service.' },
  { person: 'lena', resumed: 'The trial is over.' },
  { person: 'noor', suspended: 'Parental leave until April 2027.' },
  { person: 'eetu', suspended: 'Broke a leg at gauge 17. Back in January.' },

  { person: 'viggo', relieved_by: 'bartosz' },
  { person: 'viggo', departed: 'Buys steel for a shipyard now.' },
  { person: 'tuuli', departed: 'Called home at short notice. Her work is not handed over yet.' },
  { person: 'otmar', departed: 'Retired.' },
  { person: 'otmar', erased: true },

  { group: 'Flood-warning handover', archived: true },
]
