import type { FastifyReply, FastifyRequest } from 'fastify'

import type { AsOf } from '#domain/engine/listing'
import type { ETags } from '#http/response/etag'

import { sendSpool } from './complete.ts'
import { downloadHeaders } from './format.ts'
import {
  columnsOf,
  hasETag,
  itemsOf,
  type ListDependencies,
  type PreparedList,
} from './list-request.ts'

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Sends all items of a list. Readers of the same list share its spool. */
export async function sendComplete(
  { request, reply }: Exchange,
  list: PreparedList,
  { tags, lists, admission }: ListDependencies,
): Promise<FastifyReply> {
  if (request.method === 'HEAD') return sendHead(reply, list, tags)
  const { format } = list
  if (format.isExport) await list.beforeExport(format.name)
  const closeStream = lists.openStream(list.principal)
  try {
    await lists.share(sharedList(list), async (filled) => {
      await addHeaders(reply, list, { tags, asOf: filled.asOf })
      admission.release(request.raw)
      await sendSpool(reply, filled.spool)
    })
  } finally {
    closeStream()
  }
  return reply
}

/** One item is enough for the status and the ETag. Content-Length is unknown, and omitted. */
async function sendHead(
  reply: FastifyReply,
  list: PreparedList,
  tags: ETags,
): Promise<FastifyReply> {
  const { asOf } = await list.listing().page({ after: null, limit: 1, countMax: null })
  await addHeaders(reply, list, { tags, asOf })
  return reply.send()
}

async function addHeaders(
  reply: FastifyReply,
  { principal, operation, shown, encoding, format }: PreparedList,
  { tags, asOf }: { readonly tags: ETags; readonly asOf: AsOf },
): Promise<void> {
  if (hasETag(operation)) reply.header('etag', await tags.collection(principal, shown, asOf))
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  reply.headers(downloadHeaders(format))
}

/** The list, with a name that differs when its bytes may differ. */
function sharedList(list: PreparedList) {
  const { principal, query, operation, shown, encoding, format, extras } = list
  // A list without an ETag may depend on the principal, so it is not shared.
  const reader = hasETag(operation) ? principal.workspaceId : principal.id
  // Keys with other scopes get other columns, so they share no bytes.
  const columns = columnsOf(list)
  const { view } = principal
  const parts = [reader, view.label, list.path, list.mediaType, encoding, columns]
  return {
    workspaceId: principal.workspaceId,
    name: [...parts, JSON.stringify(query)].join(' '),
    atLeast: principal,
    collections: { shown, items: itemsOf(operation) },
    encoding,
    hasTotal: query.include?.includes('total_count') ?? false,
    format,
    extras,
    listing: list.listing(),
  }
}
