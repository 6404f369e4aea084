import type { StoryPerson } from './types.ts'

/** Three people who depart later; see `personnelEvents`. */
export const formerPeople: readonly StoryPerson[] = [
  {
    key: 'viggo',
    name: 'Viggo Brandt-Nielsen',
    email: 'viggo.brandt-nielsen@northwater.example',
    title: 'Senior buyer',
    department: 'Procurement',
    external_id: 'nw-1041',
    manager: 'dimitra',
    time_zone: 'Europe/Copenhagen',
    start_on: '2019-08-19',
  },
  {
    key: 'tuuli',
    name: 'Tuuli Rannamäe',
    email: 'tuuli.rannamae@northwater.example',
    title: 'Spoil and transport planner',
    department: 'Civil works',
    phone: '+46 70 174 06 15',
    external_id: 'nw-1042',
    manager: 'seamus',
    time_zone: 'Europe/Tallinn',
    start_on: '2025-03-10',
    metadata: { badge: 'B-3009' },
  },
  {
    key: 'otmar',
    name: 'Otmar Pichler',
    email: 'otmar.pichler@northwater.example',
    title: 'Hydrographer',
    department: 'Hydrology',
    external_id: 'nw-1043',
    manager: 'henrik',
    time_zone: 'Europe/Vienna',
    start_on: '2012-09-03',
  },
]
