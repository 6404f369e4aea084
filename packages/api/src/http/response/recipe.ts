import type { IncomingMessage } from 'node:http'

import type { Principal } from '#domain/auth/authenticate'

import { cacheable } from './etag.ts'
import type { CachedRead, Recipe, StoredPage } from './page-cache.ts'

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

/** The headers of a page, or of a 304 without one. */
export const pageHeaders = (
  { mediaType, encoding }: Recipe,
  { page, tag }: { readonly page: StoredPage | null; readonly tag: string },
) => ({
  'content-type': mediaType,
  ...cacheable,
  etag: tag,
  ...(page?.link && { link: page.link }),
  ...(page?.isCompressed && { 'content-encoding': encoding }),
})
