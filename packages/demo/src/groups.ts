import type { Day } from './types.ts'

/** A personnel group of Northwater. Members are referenced by their keys. */
export interface StoryGroup {
  readonly name: string
  readonly on: Day
  readonly description: string
  readonly external_id?: string
  readonly members: readonly string[]
  /** Leads must also be members. */
  readonly leads: readonly string[]
}

/**
 * Seven active groups and one that is archived later. Members are those at creation: people who
 * depart are removed by the service.
 */
export const groups: readonly StoryGroup[] = [
  {
    name: 'Project directors',
    on: -276,
    description: 'The owners of the projects, now and before. They meet once a month.',
    external_id: 'nw-ou-10',
    members: ['eloise', 'anneliese', 'asa', 'henrik', 'tanel', 'zoe', 'ines', 'priya'],
    leads: ['eloise'],
  },
  {
    name: 'Geotechnics',
    on: -276,
    description: 'Everyone who answers for soil and rock.',
    external_id: 'nw-ou-12',
    members: ['asa', 'jurgen', 'gudrun', 'mihai', 'leila', 'agnes', 'seamus'],
    leads: ['asa'],
  },
  {
    name: 'Safety board',
    on: -275,
    description: 'Reviews every accident and near miss, and can stop work on any site.',
    members: ['ragnhild', 'agnes', 'kwame', 'tomas', 'bjorn', 'seamus', 'emil'],
    leads: ['ragnhild', 'tomas'],
  },
  {
    name: 'Weekly risk meeting',
    on: -270,
    description: 'Goes through the top of the register every Thursday morning.',
    members: [
      'eloise',
      'tomas',
      'bjorn',
      'asa',
      'anneliese',
      'henrik',
      'tanel',
      'ragnhild',
      'saga',
    ],
    leads: ['eloise', 'saga'],
  },
  {
    name: 'Duty engineers',
    on: -262,
    description: 'Take turns to answer the duty telephone, day and night, a week at a time.',
    members: ['mara', 'lukasz', 'agnes', 'leila', 'dragan', 'siobhan', 'yusuf', 'eetu'],
    leads: ['dragan'],
  },
  {
    name: 'Procurement desk',
    on: -240,
    description:
      'Handles tenders, orders and claims. Ask here before you promise a supplier anything.',
    members: ['dimitra', 'bartosz', 'lena', 'katarzyna', 'saga', 'viggo'],
    leads: ['dimitra'],
  },
  {
    name: 'Tunnel and shaft works',
    on: -225,
    description: 'Everyone who may go underground at Kvarnberg without an escort.',
    members: ['seamus', 'mihai', 'gudrun', 'asa', 'kwame', 'mara', 'tuuli'],
    leads: ['seamus', 'mihai'],
  },
  {
    name: 'Flood-warning handover',
    on: -206,
    description: 'Taught the four municipalities to run the network.',
    members: ['zoe', 'otmar', 'eetu', 'henrik'],
    leads: ['zoe', 'otmar'],
  },
]
