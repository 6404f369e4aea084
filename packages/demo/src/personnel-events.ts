import type { PersonnelEvent } from './types.ts'

/** What happens to people and groups. At the end 40 people are on the roster. */
export const personnelEvents: readonly PersonnelEvent[] = [
  { on: -75, person: 'aino', departed: 'Sails round the world.' },
  { on: -44, person: 'aino', rejoined: 'Back ashore sooner than planned.' },
  { on: -43, group: 'Weekly risk meeting', joined: ['aino'] },

  {
    on: -105,
    person: 'leila',
    promoted: { title: 'Senior instrumentation engineer', manager: 'asa' },
  },

  { on: -80, person: 'lena', suspended: 'Jury service.' },
  { on: -66, person: 'lena', resumed: 'The trial is over.' },
  { on: -52, person: 'noor', suspended: 'Parental leave.' },
  { on: -5, person: 'eetu', suspended: 'Broke a leg at gauge 17. Back in two months.' },

  { on: -58, person: 'viggo', leaves_on: -17 },
  { on: -18, person: 'viggo', relieved_by: 'bartosz' },
  { on: -17, person: 'viggo', departed: 'Buys steel for a shipyard now.' },
  {
    on: -10,
    person: 'tuuli',
    departed: 'Called home at short notice. Her work is not handed over yet.',
  },
  { on: -200, person: 'otmar', leaves_on: -135 },
  { on: -135, person: 'otmar', departed: 'Retired.' },
  { on: -49, person: 'otmar', erased: true },

  { on: -128, group: 'Flood-warning handover', archived: true },
]
