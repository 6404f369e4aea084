import { type EventType, eventTypes, type Scope } from '@muster/contract'

import { nounOf, nouns } from '#storage/schema/nouns'

/** What shows more than the roster does. */
const ownScopes: Partial<Record<EventType, Scope>> = {
  'person.identity_confirmed': 'workspace.read',
}

/** The scope that shows events of the type. */
const scopeOfType = (type: EventType): Scope => ownScopes[type] ?? nouns[nounOf(type)].scope

/** The scopes that show events. */
export const eventScopes = [...new Set(eventTypes.map(scopeOfType))].toSorted()

/** The types that these scopes show, of those asked for: types, and nouns as in `risk.*`. */
export const typesOf = (scopes: readonly Scope[], asked: readonly string[] | undefined) =>
  eventTypes.filter(
    (type) =>
      scopes.includes(scopeOfType(type)) &&
      (asked === undefined || asked.includes(type) || asked.includes(`${nounOf(type)}.*`)),
  )
