/** The memory of request bodies: a bounded sum for each process, shared by workspaces. */

import { limits } from '@muster/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Principal } from '#domain/auth/authenticate'
import { Failure } from '#domain/engine/failure'
import { OpenCounts } from '#domain/engine/open-counts'
import { networkOf } from '#http/auth/rate-limits'
import { announcedBytesOf } from '#http/request/raw-body'

import type { Admission } from './admission.ts'
import { FairShare } from './fair-share.ts'

const mebibyte = 1024 ** 2

/** Bodies above 64 KiB, small ones, and those of requests without a principal, such as sign-ins. */
const bytesMax = {
  large: 128 * mebibyte,
  small: 32 * mebibyte,
  anonymous: 8 * mebibyte,
} as const
type Pool = keyof typeof bytesMax

/**
 * A workspace gets at most a quarter of the memory that is left for the others, because few large
 * bodies fit. So 11 workspaces that take all they can get have at least one body of 4 MiB each.
 */
const largeReserve = 4

interface Holder {
  readonly pool: Pool
  /** A workspace, or the network of a request without a principal. */
  readonly id: string
}

/**
 * Bounds the memory of request bodies. A request takes the bytes that Content-Length announces
 * before its body is read, and holds them until its response has been sent. The body of a refused
 * request is discarded as it arrives. Small bodies have memory of their own, so batches never cause
 * the refusal of a small write. Requests without a principal have their own as well.
 */
export class BodyMemory {
  readonly #admission: Admission
  readonly #pools = {
    large: new FairShare(bytesMax.large, largeReserve),
    small: new FairShare(bytesMax.small),
    anonymous: new FairShare(bytesMax.anonymous),
  }
  readonly #largeByKey = new OpenCounts()
  readonly #holds = new WeakMap<FastifyRequest, () => void>()

  constructor(admission: Admission) {
    this.#admission = admission
  }

  /** The bytes that are held, by pool. */
  get bytes(): Readonly<Record<Pool, number>> {
    const { large, small, anonymous } = this.#pools
    return { large: large.total, small: small.total, anonymous: anonymous.total }
  }

  /** Takes memory for the body of a request, or refuses the request. */
  take(request: FastifyRequest, reply: FastifyReply): void {
    const bytes = announcedBytesOf(request)
    if (bytes === 0) return
    const { principal } = request
    const isLarge = bytes > limits.bodyBytesMax
    const giveKeyBack = isLarge && principal ? this.#takeForKey(principal) : () => {}
    const holder = holderOf(request, isLarge)
    if (!this.#pools[holder.pool].take(holder.id, bytes)) {
      giveKeyBack()
      this.#admission.countShed('bodies')
      throw new Failure('overloaded')
    }
    this.#holds.set(request, () => {
      giveKeyBack()
      this.#pools[holder.pool].giveBack(holder.id, bytes)
    })
    reply.raw.once('close', () => {
      if (!isBeingHandled(request, reply)) this.#giveBack(request)
    })
  }

  /** Gives back what a request holds whose client disconnected, once it has been handled. */
  addHook(app: FastifyInstance): void {
    app.addHook('onSend', (...[request, { raw }, , done]) => {
      if (raw.destroyed || request.raw.socket.destroyed) this.#giveBack(request)
      done()
    })
  }

  /** Limits the large bodies of a key. Call the result when one ends. */
  #takeForKey({ id }: Principal): () => void {
    if (this.#largeByKey.of(id) >= limits.largeBodiesPerKey) {
      throw new Failure('too_many_large_bodies')
    }
    return this.#largeByKey.open(id)
  }

  #giveBack(request: FastifyRequest): void {
    this.#holds.get(request)?.()
    this.#holds.delete(request)
  }
}

function holderOf(request: FastifyRequest, isLarge: boolean): Holder {
  const { principal } = request
  if (principal === null) return { pool: 'anonymous', id: networkOf(request) }
  return { pool: isLarge ? 'large' : 'small', id: principal.workspaceId }
}

/** Whether a handler still works on a body that has arrived, although the client disconnected. */
const isBeingHandled = (request: FastifyRequest, reply: FastifyReply) =>
  request.raw.complete && !reply.raw.writableEnded
