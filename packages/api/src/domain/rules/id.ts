import { type Prefix, prefixes } from '@muster/contract'

import { decodeId, encodeId, uuidAt } from '#storage/values/id'

/** Responses, log lines and events carry this id. */
export const newRequestId = () => encodeId('req', uuidAt(Date.now() * 1000))

/** Returns why the text is not an id with the wanted prefix; null if it is one. */
export function idError(text: string, wanted: Prefix): string | null {
  const prefix = decodeId(text)?.prefix
  if (prefix === wanted) return null
  // The cast holds after the check: `prefixes` has the prefix as a key.
  if (prefix && Object.hasOwn(prefixes, prefix)) {
    return `${text} is the id of ${prefixes[prefix as Prefix]}, not of ${prefixes[wanted]}.`
  }
  return `This is not the id of ${prefixes[wanted]}: such ids start with ${wanted}_.`
}
