import type { Collection, Operation } from '@muster/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Principal } from '#domain/auth/authenticate'
import { inContractOrder } from '#domain/engine/contract-order'
import { type AsOf, type Points, type Terms, termsOf } from '#domain/engine/listing'
import { pathOf } from '#http/request/query'

import { attachment, contentTypeOf, csvNameOf, csvOf, csvType } from './csv-file.ts'
import { atPoints, cacheable, type ETags, isFresh, isListed, revisionTag } from './etag.ts'
import type { ResolvedPoints, StoredPage } from './page-cache.ts'

interface ResourceResponse {
  readonly tags: ETags
  readonly operation: Operation
  readonly principal: Principal
  /** The terms of the numbers in the result. */
  readonly terms: Terms
  readonly result: object
  readonly isReplay: boolean
}

/**
 * Sends one resource. The headers depend only on the operation, so an idempotent replay has the
 * same ones.
 */
export async function sendResult(
  request: FastifyRequest,
  reply: FastifyReply,
  response: ResourceResponse,
): Promise<FastifyReply> {
  const { operation, result, isReplay } = response
  const tag = await tagOf(response)
  reply.code(operation.status).type('application/json')
  reply.headers(tag === null ? { 'cache-control': 'no-store' } : { ...cacheable, etag: tag })
  if (operation.status === 201 && 'id' in result) {
    const collection = operation.createdIn ?? pathOf(request.url)
    reply.header('location', `${collection}/${String(result.id)}`)
  }
  if (isReplay) reply.header('idempotent-replayed', 'true')
  const isRead = operation.method === 'GET'
  if (isRead && tag !== null && isFresh(request.headers['if-none-match'], tag)) {
    return reply.code(304).send()
  }
  return reply.send(bodyOf(operation, result))
}

const bodyOf = ({ response }: Operation, result: object): Buffer =>
  Buffer.from(JSON.stringify(inContractOrder(response, result)))

type ReadResult = Omit<ResourceResponse, 'isReplay' | 'tags'> & {
  /** The points in time that the request names. */
  readonly points?: Points | undefined
}

/** A result that depends on collections, as the page cache keeps it. */
export function storedResult(response: ReadResult, mediaType: string): StoredPage {
  const { operation, result } = response
  const { csvRow } = operation
  const body = csvRow && mediaType === csvType ? csvOf(csvRow, result) : bodyOf(operation, result)
  return { asOf: asOfResult(response), body, isCompressed: false, link: null }
}

interface StoredResponse {
  readonly tags: ETags
  readonly page: StoredPage
  readonly shown: readonly Collection[]
  /** Has the terms of this request: an earlier one, which read the page, may lack the latest. */
  readonly principal: Principal
  readonly points: Points | undefined
  readonly mediaType: string
}

/** Sends a result that the page cache returned. */
export async function sendStored(
  reply: FastifyReply,
  { tags, page, shown, principal, points, mediaType }: StoredResponse,
): Promise<FastifyReply> {
  const asOf = atPoints({ ...termsOf(principal), numbers: page.asOf.numbers }, points)
  return reply
    .code(200)
    .headers({ ...cacheable, etag: await tags.collection(principal, shown, asOf) })
    .headers(mediaType === csvType ? attachment(csvNameOf(pathOf(reply.request.url))) : {})
    .type(contentTypeOf(mediaType))
    .send(page.body)
}

/**
 * The sequence numbers at authentication, and for its collection the number that it states, unless
 * that is a point in time.
 */
function asOfResult({ operation, principal, terms, result, points }: ReadResult): AsOf {
  const { numbers } = principal
  const { collection } = operation
  if (collection === undefined || !('as_of' in result) || points)
    return { ...termsOf(terms), numbers }
  return { ...termsOf(terms), numbers: { ...numbers, [collection]: Number(result.as_of) } }
}

async function tagOf(response: ResourceResponse): Promise<string | null> {
  const { tags, operation, principal, terms, result } = response
  const { collection } = operation
  if (collection !== undefined && 'as_of' in result) {
    return tags.collection(principal, [collection], asOfResult(response))
  }
  if (operation.cache === 'revision') return revisionTag
  if (operation.cache === 'version' && 'version' in result) {
    return tags.item(principal, terms, Number(result.version))
  }
  return null
}

/** The current ETag of a response; null when the data from authentication does not determine it. */
export async function currentTag(
  tags: ETags,
  { cache }: Operation,
  { shown, principal, points }: Pick<StoredResponse, 'shown' | 'principal' | 'points'>,
): Promise<string | null> {
  if (cache === 'revision') return revisionTag
  return shown.length === 0 ? null : tags.collection(principal, shown, atPoints(principal, points))
}

/**
 * Sends 304 and returns true when `If-None-Match` matches the ETag. The ETag is known from
 * authentication without another query, so the request is refunded when the caller sent that ETag.
 * A date is resolved by a query.
 */
export function sendUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, points }: { readonly tag: string; readonly points: ResolvedPoints | undefined },
): boolean {
  const sent = request.headers['if-none-match']
  if (!isFresh(sent, tag)) return false
  const isRead = points?.areGiven === false
  request.isRefundable = isListed(sent, tag) && !isRead
  reply
    .code(304)
    .headers({ ...cacheable, etag: tag })
    .send()
  return true
}
