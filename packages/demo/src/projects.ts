import type { NewProject } from '@muster/contract'

/** A project of Northwater. The risks and issues of the story refer to it by `code`. */
export interface StoryProject {
  readonly code: string
  readonly name: string
  readonly description: string
  readonly status: NonNullable<NewProject['status']>
  /** Null for a project that has not begun. */
  readonly health: NonNullable<NewProject['health']> | null
  /** The key of a person. */
  readonly owner: string
  readonly starts_on: string
  readonly due_on: string
  readonly risk_appetite: number
  readonly metadata?: Readonly<Record<string, string>>
  /** The code of the project that took over what was left of it when it was archived. */
  readonly merged_into?: string
}

/** The eight projects of Northwater, the two best known first, and one that is no more. */
export const projects: readonly StoryProject[] = [
  {
    code: 'DAM',
    name: 'Norrfors dam renewal',
    description:
      'New spillway gates, a grout curtain and a repaired stilling basin for the dam of 1954. ' +
      'The power station runs throughout.',
    status: 'active',
    health: 'on_track',
    owner: 'eloise',
    starts_on: '2024-03-01',
    due_on: '2028-10-31',
    risk_appetite: 12,
    metadata: { cost_centre: '4120', permit: 'M 2817-23' },
  },
  {
    code: 'BRG',
    name: 'Sund crossing bridge',
    description:
      'A cable-stayed road bridge of 640 metres over the sound, with approaches on soft ' +
      'clay at the north end.',
    status: 'active',
    health: 'at_risk',
    owner: 'anneliese',
    starts_on: '2023-09-01',
    due_on: '2027-12-15',
    risk_appetite: 12,
    metadata: { cost_centre: '4130' },
  },
  {
    code: 'TUN',
    name: 'Kvarnberg diversion tunnel',
    description:
      'A tunnel of 2.4 kilometres that takes flood water past the town. ' +
      'Drilled and blasted from the lower portal.',
    status: 'active',
    health: 'on_track',
    owner: 'asa',
    starts_on: '2025-01-13',
    due_on: '2028-06-30',
    risk_appetite: 10,
  },
  {
    code: 'PUMP',
    name: 'Strandby pumping station',
    description: 'Replaces three old stations with one that keeps the harbour quarter dry.',
    status: 'active',
    health: 'on_track',
    owner: 'henrik',
    starts_on: '2025-08-18',
    due_on: '2027-09-30',
    risk_appetite: 12,
  },
  {
    code: 'CTRL',
    name: 'Control system migration',
    description:
      'Moves eleven dams and stations from the control system of 1998 to a new one, a ' +
      'station at a time.',
    status: 'active',
    health: 'at_risk',
    owner: 'tanel',
    starts_on: '2025-04-01',
    due_on: '2027-11-30',
    risk_appetite: 8,
  },
  {
    code: 'FISH',
    name: 'Älvsund fish passage',
    description:
      'A fishway past the weir at Älvsund for salmon, trout and eel. ' +
      'Work starts when the water court has ruled.',
    status: 'planned',
    health: null,
    owner: 'ines',
    starts_on: '2027-04-01',
    due_on: '2028-09-15',
    risk_appetite: 9,
  },
  {
    code: 'MOVE',
    name: 'Head office move',
    description:
      'From the old customs house to the upper floors of Hamngatan 12. ' +
      'On hold until the landlord has repaired the roof.',
    status: 'on_hold',
    health: 'at_risk',
    owner: 'priya',
    starts_on: '2026-02-02',
    due_on: '2027-06-30',
    risk_appetite: 15,
  },
  {
    code: 'FLOOD',
    name: 'Flood-warning network',
    description:
      'Sixty-four river gauges and the warning service of four municipalities. ' +
      'Handed over in June 2026, with two years of warranty.',
    status: 'completed',
    health: 'on_track',
    owner: 'zoe',
    starts_on: '2023-03-06',
    due_on: '2026-06-30',
    risk_appetite: 10,
  },
  {
    code: 'PIPE',
    name: 'Strandby rising main',
    description:
      'A pressure pipe of 900 metres from the harbour quarter to the treatment works. ' +
      'Built together with the pumping station since September 2026.',
    status: 'active',
    health: 'on_track',
    owner: 'henrik',
    starts_on: '2026-01-12',
    due_on: '2027-08-31',
    risk_appetite: 12,
    metadata: { cost_centre: '4155' },
    merged_into: 'PUMP',
  },
]
