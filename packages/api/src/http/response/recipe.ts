import type { IncomingMessage } from 'node:http'

import type { Principal } from '#domain/auth/authenticate'

import { cacheable } from './etag.ts'
import type { CachedRead, Recipe, ResolvedPoints, StoredPage } from './page-cache.ts'

/** All parts of a request that its recipe depends on. */
export function addressOf({ url = '', headers }: IncomingMessage): string {
  return `${url} ${headers['accept'] ?? '*/*'} ${headers['accept-encoding'] ?? ''}`
}

/** The page of a caller. */
export const pageFor = ({ name, shown }: Recipe, principal: Principal): CachedRead => ({
  workspaceId: principal.workspaceId,
  name,
  view: principal.view,
  shown,
  atLeast: principal,
})

/** A link to the same points, whatever a date means later. */
export const locationOf = (points: ResolvedPoints | undefined) =>
  points && { 'content-location': points.address }

/** The headers of a page, or of a 304 without one. */
export const pageHeaders = (
  { mediaType, encoding, points }: Recipe,
  { page, tag }: { readonly page: StoredPage | null; readonly tag: string },
) => ({
  'content-type': mediaType,
  ...cacheable,
  etag: tag,
  ...locationOf(points),
  ...(page?.link && { link: page.link }),
  ...(page?.isCompressed && { 'content-encoding': encoding }),
})
