import { formerPeople } from './people-former.ts'
import { servicesPeople } from './people-services.ts'
import { worksPeople } from './people-works.ts'

/** A member of Northwater. The other files of the story refer to people by `key`. */
export interface StoryPerson {
  readonly key: string
  readonly name: string
  readonly email: string
  readonly title: string
  readonly department: string
  readonly phone?: string
  readonly external_id: string
  /** The key of someone earlier in the list, so that managers can be added first. */
  readonly manager?: string
  readonly time_zone?: string
  readonly start_on?: string
  readonly end_on?: string
  readonly metadata?: Readonly<Record<string, string>>
}

/**
 * The forty people of Northwater, and three who left. Telephone numbers are of ranges set aside for
 * fiction.
 */
export const people: readonly StoryPerson[] = [...worksPeople, ...servicesPeople, ...formerPeople]
