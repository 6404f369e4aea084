import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'

import { type Collection, limits } from '@muster/contract'
import type { FastifyReply } from 'fastify'

import { Failure } from '#domain/failure'
import type { AsOf, Listing } from '#domain/listing'

import type { Admission } from './admission.ts'
import { reached } from './etag.ts'
import type { Format } from './format.ts'
import type { Encoding } from './negotiate.ts'
import { fillSpool, type Spool } from './spool.ts'

/** A complete list that was asked for: two that have the same name have the same bytes. */
export interface CompleteAsk {
  readonly name: string
  /** The list must have been begun when the collection had come at least this far. */
  readonly atLeast: AsOf
  /** The collections that it shows something of, and those that its items are of. */
  readonly of: { readonly shown: readonly Collection[]; readonly items: readonly Collection[] }
  readonly listing: Listing<object>
  readonly format: Format
  readonly encoding: Encoding
  readonly hasTotal: boolean
}

interface Filled {
  readonly spool: Spool
  readonly asOf: AsOf
}

interface Shared {
  readonly atLeast: AsOf
  readonly filled: Promise<Filled>
  takers: number
}

const fillsMax = 3

/** How many are being sent at once, by all keys together. */
const streamsMax = 200

/**
 * Complete lists. Each is read from one snapshot at full speed into a spool; the connection is back
 * in the pool before the first byte waits on a client. All who ask for the same share one spool.
 */
export class CompleteLists {
  readonly #shared = new Map<string, Shared>()
  readonly #streams = new Map<string, number>()
  readonly #turns: (() => void)[] = []
  readonly #admission: Admission
  #fills = 0
  #streaming = 0

  constructor(admission: Admission) {
    this.#admission = admission
  }

  /** Gives the list to `send`, and clears it away when nobody is sending it any more. */
  async share(ask: CompleteAsk, send: (filled: Filled) => Promise<void>): Promise<void> {
    const shared = this.#find(ask) ?? this.#begin(ask)
    shared.takers += 1
    try {
      await send(await shared.filled)
    } finally {
      shared.takers -= 1
      if (shared.takers === 0) await this.#forget(ask.name, shared)
    }
  }

  /** One key receives only so many at once, and so do all together. The answer says that one has ended. */
  enter(keyId: string): () => void {
    const streams = this.#streams.get(keyId) ?? 0
    if (streams >= limits.completeStreamsPerKey) throw new Failure('too_many_streams')
    if (this.#streaming >= streamsMax) {
      this.#admission.count('streams')
      throw new Failure('overloaded')
    }
    this.#streaming += 1
    this.#streams.set(keyId, streams + 1)
    return () => {
      this.#streaming -= 1
      const left = (this.#streams.get(keyId) ?? 1) - 1
      if (left === 0) this.#streams.delete(keyId)
      else this.#streams.set(keyId, left)
    }
  }

  /** One that was begun when the caller's own writes were already in it. */
  #find({ name, atLeast, of }: CompleteAsk): Shared | null {
    const shared = this.#shared.get(name)
    if (shared?.atLeast.epoch !== atLeast.epoch) return null
    const { numbers } = shared.atLeast
    return of.shown.every((each) => numbers[each] >= atLeast.numbers[each]) ? shared : null
  }

  #begin(ask: CompleteAsk): Shared {
    const shared = { atLeast: ask.atLeast, filled: this.#fill(ask), takers: 0 }
    this.#shared.set(ask.name, shared)
    return shared
  }

  async #forget(name: string, shared: Shared): Promise<void> {
    if (this.#shared.get(name) === shared) this.#shared.delete(name)
    const filled = await shared.filled.catch(() => null)
    await filled?.spool.dispose()
  }

  /** Only a few are filled at a time, so that pages and writes always find a connection. */
  async #fill({ listing, format, encoding, hasTotal, of }: CompleteAsk): Promise<Filled> {
    this.#fills += 1
    if (this.#fills > fillsMax) await new Promise<void>((resolve) => this.#turns.push(resolve))
    try {
      let asOf: AsOf | undefined
      const spool = await fillSpool(encoding, async (write) => {
        let count = 0
        asOf = await listing.all(async (items, sofar) => {
          const isFirst = count === 0
          const beginning = isFirst ? format.begin(reached(of.items, sofar)) : ''
          await write(beginning + format.items(items, isFirst))
          count += items.length
        })
        await write(format.end({ count, asOf: reached(of.items, asOf), hasTotal }))
      })
      assert(asOf, 'a spool that was filled was filled from a snapshot')
      return { spool, asOf }
    } finally {
      this.#fills -= 1
      this.#turns.shift()?.()
    }
  }
}

const slowestBytesPerSecond = 1024

/**
 * Takes the reply over and sends the spool as fast as the client reads, but not slower than a line
 * can be. The length is known, so every client notices a body that was cut.
 */
export async function sendSpool(reply: FastifyReply, spool: Spool): Promise<void> {
  if (reply.sent) return
  reply.header('content-length', spool.bytes)
  reply.hijack()
  const { raw } = reply
  // The cast holds because Fastify keeps the headers in the form node takes them.
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  for await (const chunk of spool.chunks()) {
    if (!(await isTaken(raw, chunk))) return
  }
  raw.end()
}

/**
 * Whether the client took the chunk, which may be used again then. One that is too slow is cut off.
 */
function isTaken(raw: FastifyReply['raw'], chunk: Buffer): Promise<boolean> {
  const patienceMs = Math.max(1000, (chunk.length / slowestBytesPerSecond) * 1000)
  return new Promise((resolve) => {
    const timer = setTimeout(() => raw.destroy(), patienceMs)
    raw.write(chunk, (error) => {
      clearTimeout(timer)
      resolve(!error)
    })
  })
}
