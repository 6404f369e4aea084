import type { ProjectEvent } from './types.ts'

/** What happens to projects, and to issues after they are closed. */
export const projectEvents: readonly ProjectEvent[] = [
  {
    on: -24,
    issue: 'CTRL-I4',
    closed: { reason: 'resolved', note: 'Version 3.2 keeps the clock; the test was run again.' },
  },
  {
    on: -6,
    issue: 'DAM-I1',
    reopened: 'The culvert is blocked, and the ramp is washing out again.',
  },
  { on: -5, issue: 'DAM-I1', due_on: 12 },

  {
    on: -118,
    project: 'DAM',
    health: 'at_risk',
    because: 'The dredger waits for the silt curtain.',
  },
  {
    on: -52,
    project: 'DAM',
    health: 'on_track',
    because: 'The silt curtain is in, and the dredger works again.',
  },
  { on: -9, project: 'DAM', health: 'at_risk', because: 'Seepage at the toe has doubled.' },
  {
    on: -94,
    project: 'BRG',
    health: 'at_risk',
    because: 'The north approach settles faster than foreseen.',
  },
  {
    on: -23,
    project: 'BRG',
    health: 'off_track',
    because: 'No deck segment has been landed since the storm.',
  },
  { on: -60, project: 'TUN', health: 'at_risk', because: 'The fault is nearer than drawn.' },
  {
    on: -13,
    project: 'TUN',
    health: 'off_track',
    because: 'The heading stands at the Kvarnberg fault.',
  },
  {
    on: -2,
    project: 'TUN',
    health: 'off_track',
    because: 'The review panel wants two more probe holes before it decides.',
  },
  {
    on: -64,
    project: 'PUMP',
    health: 'on_track',
    because: 'Built together with the rising main from now on.',
  },
  {
    on: -71,
    project: 'CTRL',
    health: 'at_risk',
    because: 'Alarms must be grouped before the next station moves.',
  },
  {
    on: -20,
    project: 'CTRL',
    health: 'at_risk',
    because: 'The second delivery of controllers is not tested yet.',
  },
  { on: -68, project: 'MOVE', health: 'at_risk', because: 'It rains into the new floors.' },
  {
    on: -28,
    project: 'MOVE',
    health: 'at_risk',
    because: 'The landlord has named no date for the roof.',
  },

  { on: -139, project: 'FLOOD', status: 'completed' },
  { on: -63, project: 'MOVE', status: 'on_hold' },
]
