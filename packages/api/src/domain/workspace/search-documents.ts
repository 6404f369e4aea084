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
 * Writes the missing and the wrong search documents of the next items, of one noun or of several.
 * Repeating it is harmless. `next` is null at the end.
 */
export async function addSearchDocuments(
  read: Read,
  { noun: first, after }: DocumentPosition,
): Promise<{ written: number; next: DocumentPosition | null }> {
  let [left, total, from] = [batchItems, 0, after]
  for (const [at, noun] of searchedNouns.entries()) {
    if (at < first) continue
    const { count, written, last } = await writeDocuments(read, { noun, after: from, limit: left })
    total += written
    left -= count
    if (last !== null) return { written: total, next: { noun: at, after: last } }
    from = null
  }
  return { written: total, next: null }
}
