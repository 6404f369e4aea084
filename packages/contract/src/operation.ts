import type { Static, TObject, TSchema } from 'typebox'

import type { Collection } from './collections.ts'
import type { EventType } from './events.ts'
import type { ProblemName } from './problems.ts'
import type { Access, Scope } from './scopes.ts'

/**
 * One thing a caller can do. Routes, the OpenAPI document, the SDK, the CLI and the MCP tools are
 * all read from this value, so none of them can disagree with it.
 */
export interface Operation {
  readonly summary: string
  readonly description: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: `/v1/${string}`
  readonly scope: Access
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TObject
  /** How many bytes its body may have, where that is not as for most. */
  readonly bodyBytesMax?: number
  /** The rows of a batch, which may also come as CSV; `body` then holds them as `data`. */
  readonly rows?: TObject
  /** What an export has columns of beside `rows`: known, and not looked at. */
  readonly alsoColumns?: TObject
  readonly status: 200 | 201
  readonly response: TSchema
  /**
   * What the answer may be cached by; `none` for answers that follow the clock or bear a secret.
   */
  readonly cache: 'version' | 'collection' | 'revision' | 'none'
  /** With `cache: 'collection'`: whose number it is cached by. */
  readonly collection?: Collection
  /** The refusals that are this operation's own, beside those every operation can give. */
  readonly problems: readonly ProblemName[]
  readonly events?: readonly EventType[]
}

/** An operation that answers a collection: complete by default, paged on request. */
export interface ListOperation extends Operation {
  readonly method: 'GET'
  readonly cache: 'collection' | 'none'
  readonly collection: Collection
  /** Other collections that the items are of. */
  readonly also: readonly Collection[]
  readonly item: TObject
  readonly query: TObject
  readonly includes: Readonly<Record<string, Include>>
}

/** An extra that a list can be asked for: what it needs, and what it then also depends on. */
export interface Include {
  readonly collections: readonly Collection[]
  readonly scope: Scope
}

export const operation = <const O extends Operation>(definition: O): O => definition

export function isList(candidate: Operation): candidate is ListOperation {
  return 'item' in candidate
}

/**
 * Whether it changes one thing by what is sent of it (RFC 7396): its path ends with an id, or is
 * that of the workspace, of which there is one.
 */
export function isMergePatch({ method, path }: Operation): boolean {
  return method === 'PATCH' && (path.endsWith('}') || path === '/v1/workspace')
}

type Part<O, K extends PropertyKey> = O extends { readonly [P in K]: infer S extends TSchema }
  ? Static<S>
  : undefined

/**
 * What a handler is given: the parts of the request that its operation declares, already checked.
 */
export interface Input<O extends Operation> {
  readonly params: Part<O, 'params'>
  readonly query: Part<O, 'query'>
  readonly body: Part<O, 'body'>
}

export type Output<O extends Operation> = Static<O['response']>

/** One element of the collection that a list operation answers. */
export type Item<O extends ListOperation> = Static<O['item']>
