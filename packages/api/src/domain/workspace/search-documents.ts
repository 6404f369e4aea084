import { searchedNouns } from '@muster/contract'

import { writeDocuments } from '#storage/nouns/search-documents'
import type { Read } from '#storage/statements/access'

const batchItems = 500

/** Where to continue: the place of the noun, and the UUID of its last item. */
export interface DocumentPosition {
  readonly noun: number
  readonly after: string | null
}

/**
 * Writes the missing and the wrong search documents of the next items. Repeating it is harmless.
 * `next` is null at the end.
 */
export async function addSearchDocuments(
  read: Read,
  { noun: place, after }: DocumentPosition,
): Promise<{ written: number; next: DocumentPosition | null }> {
  const noun = searchedNouns[place]
  if (noun === undefined) return { written: 0, next: null }
  const { written, last } = await writeDocuments(read, { noun, after, limit: batchItems })
  const isLast = last === null
  return { written, next: { noun: isLast ? place + 1 : place, after: last } }
}
