import { reservedSlugs } from '@muster/contract'

import { Failure, invalid } from '#domain/engine/failure'
import { selectWorkspaceBySlug } from '#storage/nouns/workspaces'
import type { Read } from '#storage/statements/access'

/** Refuses a slug that is a word of the service, or that another workspace has. */
export async function refuseUnusableSlug(read: Read, slug: string): Promise<void> {
  if (reservedSlugs.includes(slug)) {
    const detail = 'must be another word: this one is reserved'
    throw invalid({ pointer: '/slug', code: 'reserved', detail })
  }
  if ((await selectWorkspaceBySlug(read, slug)) === null) return
  const detail = `The slug ${slug} is taken. Choose another one.`
  throw new Failure('slug_taken', detail, { pointer: '/slug' })
}
