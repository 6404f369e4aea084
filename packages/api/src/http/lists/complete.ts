import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'

import { type Collection, limits } from '@muster/contract'
import type { FastifyReply } from 'fastify'

import type { Principal } from '#domain/auth/authenticate'
import { Failure } from '#domain/engine/failure'
import type { AsOf, Extras, Listing, Unmatched } from '#domain/engine/listing'
import { OpenCounts } from '#domain/engine/open-counts'
import type { Admission } from '#http/edge/admission'
import { FairShare } from '#http/edge/fair-share'
import type { Encoding } from '#http/request/negotiate'
import { statedNumber } from '#http/response/etag'

import type { ListFormat } from './format.ts'
import { Pace } from './pace.ts'
import { fillSpool, type Spool, type SpoolSpace } from './spool.ts'

/** A request for a complete list. Requests with the same name get the same bytes. */
export interface CompleteListRequest {
  readonly workspaceId: string
  readonly name: string
  /** The snapshot must contain at least these sequence numbers. */
  readonly atLeast: AsOf
  /** The collections whose data the response contains, and those of its items. */
  readonly collections: {
    readonly shown: readonly Collection[]
    readonly items: readonly Collection[]
  }
  readonly listing: Listing<object>
  readonly extras: Extras
  readonly format: ListFormat
  readonly encoding: Encoding
  readonly hasTotal: boolean
}

interface FilledSpool {
  readonly spool: Spool
  readonly asOf: AsOf
}

interface SharedSpool {
  readonly atLeast: AsOf
  readonly filled: Promise<FilledSpool>
  readers: number
  isDisposed: boolean
}

/** A spool without readers is kept for the requests that wait meanwhile. */
const unreadMs = 500

const fillsMax = 3

/** The maximum number of streams of all workspaces together. */
const streamsMax = 200

/** Rows that are serialized at once. */
const sliceRows = 50

/**
 * Complete lists: responses without pagination. Each is read from one snapshot at full speed into a
 * spool, so a slow client does not hold a database connection. Equal requests share one spool.
 */
export class CompleteLists {
  readonly #shared = new Map<string, SharedSpool>()
  readonly #streamsByKey = new OpenCounts()
  readonly #streams = new FairShare(streamsMax)
  readonly #fillQueue: (() => void)[] = []
  readonly #admission: Admission
  readonly #space: SpoolSpace
  #filling = 0

  constructor(admission: Admission, space: SpoolSpace) {
    this.#admission = admission
    this.#space = space
  }

  /** Passes the filled spool to `send`, and disposes of it some time after its last reader. */
  async share(
    request: CompleteListRequest,
    send: (filled: FilledSpool) => Promise<void>,
  ): Promise<void> {
    const shared = this.#find(request) ?? this.#start(request)
    shared.readers += 1
    try {
      await send(await shared.filled)
    } finally {
      shared.readers -= 1
      const dispose = () => void this.#disposeUnread(request.name, shared)
      if (shared.readers === 0) setTimeout(dispose, unreadMs).unref()
    }
  }

  /** Limits the streams of a principal and of a workspace. Call the result when one ends. */
  openStream({ id, workspaceId }: Pick<Principal, 'id' | 'workspaceId'>): () => void {
    if (this.#streamsByKey.of(id) >= limits.completeStreamsPerKey) {
      throw new Failure('too_many_streams')
    }
    if (!this.#streams.take(workspaceId, 1)) {
      this.#admission.countShed('streams')
      throw new Failure('overloaded')
    }
    const closeOfKey = this.#streamsByKey.open(id)
    return () => {
      this.#streams.giveBack(workspaceId, 1)
      closeOfKey()
    }
  }

  /** A shared spool whose snapshot contains the caller's own writes (read your writes). */
  #find({ name, atLeast, collections }: CompleteListRequest): SharedSpool | null {
    const shared = this.#shared.get(name)
    if (shared?.atLeast.server !== atLeast.server) return null
    const { numbers } = shared.atLeast
    return collections.shown.every((each) => numbers[each] >= atLeast.numbers[each]) ? shared : null
  }

  #start(request: CompleteListRequest): SharedSpool {
    const { name, atLeast } = request
    const shared = { atLeast, filled: this.#fill(request), readers: 0, isDisposed: false }
    this.#shared.set(name, shared)
    shared.filled.catch(() => this.#forget(name, shared))
    return shared
  }

  #forget(name: string, shared: SharedSpool): void {
    if (this.#shared.get(name) === shared) this.#shared.delete(name)
  }

  async #disposeUnread(name: string, shared: SharedSpool): Promise<void> {
    if (shared.readers > 0 || shared.isDisposed) return
    shared.isDisposed = true
    this.#forget(name, shared)
    const filled = await shared.filled.catch(() => null)
    await filled?.spool.dispose()
  }

  /** Fills at most three spools at a time, so that connections remain for pages and writes. */
  async #fill(request: CompleteListRequest): Promise<FilledSpool> {
    const { workspaceId, listing, format, encoding, hasTotal, collections, extras } = request
    this.#filling += 1
    if (this.#filling > fillsMax)
      await new Promise<void>((resolve) => this.#fillQueue.push(resolve))
    try {
      let read: { readonly asOf: AsOf; readonly unmatched?: Unmatched } | undefined
      const space = { workspaceId, space: this.#space }
      const spool = await fillSpool(encoding, space, async (write) => {
        let count = 0
        const pace = new Pace()
        read = await listing.all(async (items, asOfChunk) => {
          if (count === 0) await write(format.begin(statedNumber(collections.items, asOfChunk)))
          for (let from = 0; from < items.length; from += sliceRows) {
            const text = format.items(items.slice(from, from + sliceRows), count + from === 0)
            await write(text)
            await pace.step(text.length)
          }
          count += items.length
        }, extras)
        const asOf = statedNumber(collections.items, read.asOf)
        await write(format.end({ count, asOf, hasTotal, unmatched: read.unmatched }))
      })
      assert(read, 'a filled spool has the sequence numbers of its snapshot')
      return { spool, asOf: read.asOf }
    } finally {
      this.#filling -= 1
      this.#fillQueue.shift()?.()
    }
  }
}

const bytesPerSecondMin = 1024

/**
 * Hijacks the reply and sends the spool as fast as the client reads, at least 1 KiB/s. The response
 * has a Content-Length, so every client detects a truncated body.
 */
export async function sendSpool(reply: FastifyReply, spool: Spool): Promise<void> {
  if (reply.sent) return
  reply.header('content-length', spool.bytes)
  reply.hijack()
  const { raw } = reply
  // The cast holds because Fastify stores the headers in the form that node expects.
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  for await (const chunk of spool.chunks()) {
    if (!(await isWritten(raw, chunk))) return
  }
  raw.end()
}

/** Whether the chunk was written. A client that reads too slowly is disconnected. */
function isWritten(raw: FastifyReply['raw'], chunk: Buffer): Promise<boolean> {
  const timeoutMs = Math.max(1000, (chunk.length / bytesPerSecondMin) * 1000)
  return new Promise((resolve) => {
    const timer = setTimeout(() => raw.destroy(), timeoutMs)
    raw.write(chunk, (error) => {
      clearTimeout(timer)
      resolve(!error)
    })
  })
}
