import { type Prefix, prefixes } from '@muster/contract'

import { decodeId, encodeId, uuidAt } from '#storage/id'

/** The id that an answer, a log line and an event have in common. */
export const newRequestId = () => encodeId('req', uuidAt(Date.now() * 1000))

/** Why this text is not an id of the wanted kind, or null when it is one. */
export function whyNot(text: string, wanted: Prefix): string | null {
  const prefix = decodeId(text)?.prefix
  if (prefix === wanted) return null
  // The cast holds after the check: `prefixes` has the prefix as a key.
  if (prefix && Object.hasOwn(prefixes, prefix)) {
    return `${text} is the id of ${prefixes[prefix as Prefix]}, not of ${prefixes[wanted]}.`
  }
  return `That is not the id of ${prefixes[wanted]}: they begin with ${wanted}_.`
}
