import type { Static, TObject, TSchema } from 'typebox'

import type { ProblemName } from '#contract/problems/problems'

import type { Collection, EventType } from './registry.ts'
import type { Access, Scope } from './scopes.ts'

/**
 * One API operation. The routes, the request validation, the OpenAPI document and the client are
 * derived from this value, so they cannot disagree with it.
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
  /** The body size limit, where it differs from `limits.bodyBytesMax`. */
  readonly bodyBytesMax?: number
  /** The row schema of a batch. The body contains the rows as `data`, or is CSV. */
  readonly rows?: TObject
  /** Further columns of the CSV export, which an import accepts and ignores. */
  readonly alsoColumns?: TObject
  /** Whether the body is a JSON merge patch (RFC 7396) of one resource. */
  readonly isMergePatch?: true
  readonly status: 200 | 201
  /** With status 201: the path of the new resource's collection, if it is not that of the request. */
  readonly createdIn?: string
  readonly response: TSchema
  /** How the example of the response differs from that of its schema. */
  readonly example?: Readonly<Record<string, unknown>>
  /**
   * What the ETag is derived from. `none` for responses that change with time or contain a secret.
   */
  readonly cache: 'version' | 'collection' | 'revision' | 'none'
  /** With `cache: 'collection'`: the collection whose sequence number is in the ETag. */
  readonly collection?: Collection
  /** Further collections that the response depends on. */
  readonly also?: readonly Collection[]
  /** The row of the CSV form: `noun`, `group`, and the fields of an entry. */
  readonly csvRow?: TObject
  /**
   * The rule for sessions. `recent`: a session must have been authenticated within the last 10
   * minutes; keys are not affected. `only`: the same, and the operation works only in a session.
   * Operations that give rights only at times have no rule here: the domain decides.
   */
  readonly session?: 'recent' | 'only'
  /** Problems of this operation, beyond those of every operation. */
  readonly problems: readonly ProblemName[]
  readonly events?: readonly EventType[]
  /** Whether the response can wait for the next change, or be a stream of changes. */
  readonly isFollowed?: true
}

/** An operation that returns a collection: complete by default, paged on request. */
export interface ListOperation extends Operation {
  readonly method: 'GET'
  readonly cache: 'collection' | 'none'
  readonly collection: Collection
  /** Further collections that the items come from. */
  readonly also: readonly Collection[]
  readonly item: TObject
  readonly query: TObject
  readonly includes: Readonly<Record<string, Include>>
  /** The sort orders that need a scope or depend on other collections, likewise. */
  readonly sorts: Readonly<Record<string, Include>>
  /** The filters that need a scope or depend on other collections, likewise. */
  readonly filterNeeds: Readonly<Record<string, Include>>
  /** The audit entry of a download of the list as CSV or NDJSON. */
  readonly exportedAs?: 'personnel.exported'
  /** Whether `after` follows the list in the order of its commits. */
  readonly isFeed?: true
}

/** A value of `include` or `sort`, or a filter: the scope it needs, and the collections the ETag then depends on. */
export interface Include {
  /** The optional fields that it adds; absent for all. */
  readonly fields?: readonly string[]
  /** The largest page with it; absent if it needs no page. */
  readonly limitMax?: number
  readonly collections: readonly Collection[]
  readonly scope: Scope
}

export const operation = <const O extends Operation>(definition: O): O => definition

/** Whether a body must have a field: one that is required, or one of several alternatives. */
export const hasRequiredField = (body: TObject) =>
  (body.required?.length ?? 0) > 0 || 'anyOf' in body

export function isList(candidate: Operation): candidate is ListOperation {
  return 'item' in candidate
}

type Part<O, K extends PropertyKey> = O extends { readonly [P in K]: infer S extends TSchema }
  ? Static<S>
  : undefined

/**
 * The input of a handler: the validated params, query and body that its operation declares.
 */
export interface Input<O extends Operation> {
  readonly params: Part<O, 'params'>
  readonly query: Part<O, 'query'>
  readonly body: Part<O, 'body'>
}

export type Output<O extends Operation> = Static<O['response']>

/** One item of the collection that a list operation returns. */
export type Item<O extends ListOperation> = Static<O['item']>

type Unchanging<T> = T extends (infer V)[] ? readonly V[] : T

/** The filters, the order and the extras of a list, without the page. */
export type QueryOf<O extends ListOperation> = {
  readonly [K in keyof Omit<Static<O['query']>, 'cursor' | 'format' | 'limit'>]: Unchanging<
    Static<O['query']>[K]
  >
}

/** The filters of a list by value. Each needs a place in the query of its storage. */
export type FilterOf<O extends ListOperation> = Exclude<
  keyof QueryOf<O>,
  'q' | 'sort' | 'include' | 'as_of' | 'compare'
>
