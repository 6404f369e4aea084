/** A group of people of Northwater, who are named by their keys. */
export interface StoryGroup {
  readonly name: string
  readonly description: string
  readonly members: readonly string[]
  /** Each of them is a member too. */
  readonly leads: readonly string[]
}

/**
 * The seven groups that cut across the departments of Northwater, and one that is no more. Each is
 * as it was when it was made: whoever leaves the roster leaves it too.
 */
export const groups: readonly StoryGroup[] = [
  {
    name: 'Project directors',
    description: 'Whoever owns a project. They meet on the first Monday of the month.',
    members: ['eloise', 'anneliese', 'asa', 'henrik', 'tanel', 'zoe', 'ines', 'priya'],
    leads: ['eloise'],
  },
  {
    name: 'Geotechnics',
    description: 'Everyone who answers for soil and rock.',
    members: ['asa', 'jurgen', 'gudrun', 'mihai', 'leila', 'agnes', 'seamus'],
    leads: ['asa'],
  },
  {
    name: 'Safety board',
    description: 'Reviews every accident and near miss, and can stop work on any site.',
    members: ['ragnhild', 'agnes', 'kwame', 'tomas', 'bjorn', 'seamus', 'emil'],
    leads: ['ragnhild', 'tomas'],
  },
  {
    name: 'Weekly risk meeting',
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
    description: 'Take turns to answer the duty telephone, day and night, a week at a time.',
    members: ['mara', 'lukasz', 'agnes', 'leila', 'dragan', 'siobhan', 'yusuf', 'eetu'],
    leads: ['dragan'],
  },
  {
    name: 'Procurement desk',
    description:
      'Handles tenders, orders and claims. Ask here before you promise a supplier anything.',
    members: ['dimitra', 'bartosz', 'lena', 'katarzyna', 'saga', 'viggo'],
    leads: ['dimitra'],
  },
  {
    name: 'Tunnel and shaft works',
    description: 'Everyone who may go underground at Kvarnberg without an escort.',
    members: ['seamus', 'mihai', 'gudrun', 'asa', 'kwame', 'mara', 'tuuli'],
    leads: ['seamus', 'mihai'],
  },
  {
    name: 'Flood-warning handover',
    description: 'Taught the four municipalities to run the network. Done in June 2026.',
    members: ['zoe', 'otmar', 'eetu', 'henrik'],
    leads: ['zoe', 'otmar'],
  },
]
