import type { StoryProject } from './types.ts'

/** The eight projects of Northwater, the two main ones first, and one that is archived. */
export const projects: readonly StoryProject[] = [
  {
    code: 'DAM',
    on: -274,
    external_id: 'P-4120',
    kept_by: 'lukasz',
    name: 'Norrfors dam renewal',
    description:
      'New spillway gates, a grout curtain and a repaired stilling basin for the dam of 1954. ' +
      'The power station runs throughout.',
    status: 'active',
    health: 'on_track',
    owner: 'eloise',
    starts_on: -990,
    due_on: 715,
    risk_appetite: 12,
    metadata: { cost_centre: '4120', permit: 'M 2817' },
  },
  {
    code: 'BRG',
    on: -274,
    external_id: 'P-4130',
    kept_by: 'jose',
    name: 'Sund crossing bridge',
    description:
      'A cable-stayed road bridge of 640 metres over the sound, with approaches on soft ' +
      'clay at the north end.',
    status: 'active',
    health: 'on_track',
    owner: 'anneliese',
    starts_on: -1172,
    due_on: 394,
    risk_appetite: 12,
    metadata: { cost_centre: '4130' },
  },
  {
    code: 'TUN',
    on: -272,
    kept_by: 'lukasz',
    name: 'Kvarnberg diversion tunnel',
    description:
      'A tunnel of 2.4 kilometres that takes flood water past the town. ' +
      'Drilled and blasted from the lower portal.',
    status: 'active',
    health: 'on_track',
    owner: 'asa',
    starts_on: -672,
    due_on: 592,
    risk_appetite: 10,
  },
  {
    code: 'PUMP',
    on: -271,
    kept_by: 'jose',
    name: 'Strandby pumping station',
    description: 'Replaces three old stations with one that keeps the harbour quarter dry.',
    status: 'active',
    health: 'on_track',
    owner: 'asa',
    starts_on: -455,
    due_on: 318,
    risk_appetite: 12,
  },
  {
    code: 'CTRL',
    on: -270,
    kept_by: 'saga',
    name: 'Control system migration',
    description:
      'Moves eleven dams and stations from the control system of 1998 to a new one, a ' +
      'station at a time.',
    status: 'active',
    health: 'on_track',
    owner: 'tanel',
    starts_on: -594,
    due_on: 379,
    risk_appetite: 8,
  },
  {
    code: 'FISH',
    on: -145,
    kept_by: 'lukasz',
    name: 'Älvsund fish passage',
    description:
      'A fishway past the weir at Älvsund for salmon, trout and eel. ' +
      'Work starts when the water court has ruled.',
    status: 'planned',
    health: null,
    owner: 'ines',
    starts_on: 136,
    due_on: 669,
    risk_appetite: 9,
  },
  {
    code: 'MOVE',
    on: -264,
    kept_by: 'saga',
    name: 'Head office move',
    description:
      'From the old customs house to the upper floors of Hamngatan 12. ' +
      'On hold until the landlord has repaired the roof.',
    status: 'active',
    health: 'on_track',
    owner: 'priya',
    starts_on: -287,
    due_on: 226,
    risk_appetite: 15,
  },
  {
    code: 'FLOOD',
    on: -273,
    kept_by: 'saga',
    name: 'Flood-warning network',
    description:
      'Sixty-four river gauges and the warning service of four municipalities. ' +
      'Handed over, with two years of warranty.',
    status: 'active',
    health: 'on_track',
    owner: 'zoe',
    starts_on: -1351,
    due_on: -139,
    risk_appetite: 10,
  },
  {
    code: 'PIPE',
    on: -233,
    kept_by: 'jose',
    name: 'Strandby rising main',
    description:
      'A pressure pipe of 900 metres from the harbour quarter to the treatment works. ' +
      'Built together with the pumping station.',
    status: 'active',
    health: 'on_track',
    owner: 'henrik',
    starts_on: -308,
    due_on: 288,
    risk_appetite: 12,
    metadata: { cost_centre: '4155' },
    merged: { on: -65, into: 'PUMP' },
  },
]
