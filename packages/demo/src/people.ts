import { formerPeople } from './people-former.ts'
import { servicesPeople } from './people-services.ts'
import { worksPeople } from './people-works.ts'
import type { StoryPerson } from './types.ts'

/**
 * The 40 people on the roster of Northwater, and three who depart. The telephone numbers are from
 * ranges reserved for fiction.
 */
export const people: readonly StoryPerson[] = [...worksPeople, ...servicesPeople, ...formerPeople]
