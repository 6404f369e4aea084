import type { Collection, ListOperation, Scope } from '@muster/contract'

import type { Principal } from '#domain/auth/authenticate'
import type { Extras, Listing } from '#domain/engine/listing'
import type { Admission } from '#http/edge/admission'
import type { RowSizes } from '#http/edge/row-sizes'
import type { Encoding } from '#http/request/negotiate'
import type { ETags } from '#http/response/etag'
import type { PageCache, ResolvedPoints } from '#http/response/page-cache'

import type { CompleteLists } from './complete.ts'
import type { ListFormat } from './format.ts'

/** The parameters of every list, besides its own filters. */
export interface ListParameters {
  readonly limit?: number
  readonly cursor?: string
  readonly after?: string
  readonly include?: readonly string[]
  readonly sort?: string
  readonly format?: string
  readonly compare?: string
}

export interface ListDependencies {
  readonly tags: ETags
  readonly admission: Admission
  readonly lists: CompleteLists
  readonly pages: PageCache
  readonly rowSizes: RowSizes
}

export interface ListRequest {
  readonly name: string
  readonly mediaType: string
  readonly query: ListParameters
  readonly principal: Principal
  /** The points of the query, whose numbers it has. */
  readonly points: ResolvedPoints | undefined
  /** Called only if the response needs the data. */
  readonly listing: () => Listing<object>
  /** The same list, or that of another operation, with another query. */
  readonly listingOf: (query: object, operation?: string) => Listing<object>
  /** Called before the list is sent as CSV or NDJSON. */
  readonly beforeExport: (format: string) => Promise<void>
}

/** A list request with everything that its bytes depend on. */
export interface PreparedList extends ListRequest {
  readonly operation: ListOperation
  readonly shown: readonly Collection[]
  readonly scopes: readonly Scope[]
  readonly encoding: Encoding
  readonly path: string
  readonly format: ListFormat
  /** The lookup columns of CSV, and the values that `include=unmatched` looks for. */
  readonly extras: Extras
}

/** A list that depends on the clock changes without a write, so it cannot have an ETag. */
export const hasETag = ({ cache }: ListOperation) => cache === 'collection'

/** Keys with other scopes get other columns of CSV, so they share no bytes. */
export const columnsOf = ({ extras: { lookups = [] } }: PreparedList) =>
  lookups.map(({ name }) => name).join()

/** The collections of the items of a list. */
export const itemsOf = ({ collection, also }: ListOperation) => [collection, ...also]
