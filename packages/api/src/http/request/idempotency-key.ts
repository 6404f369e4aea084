import { createHash } from 'node:crypto'

import { limits } from '@muster/contract'
import type { FastifyRequest } from 'fastify'

import type { Principal } from '#domain/auth/authenticate'
import { Failure } from '#domain/engine/failure'

import { bodyBytesOf } from './input.ts'
import { pathOf } from './query.ts'

/** `Idempotency-Key`, bare or in quotes: 1 to 255 visible characters without a quote. */
const idempotencyKeyPattern = /^(?:"([\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/

/**
 * Idempotency keys: the digest identifies a request when it is sent again, by principal (also after
 * its key was rotated), method, path and key. The fingerprint detects a different body.
 */
export function idempotentRequestOf(request: FastifyRequest, principal: Principal) {
  const header = request.headers['idempotency-key']
  if (header === undefined || request.method === 'GET' || request.method === 'HEAD') return null
  const match = idempotencyKeyPattern.exec(String(header))
  const key = match?.[1] ?? match?.[2]
  if (key === undefined) {
    const format = `1 to ${limits.idempotencyKeyLengthMax} visible ASCII characters without quotes`
    throw new Failure('bad_header', `Idempotency-Key must be ${format}.`)
  }
  const path = pathOf(request.url)
  const identity = [principal.lineage, request.method, path, key].join('\n')
  return {
    digest: createHash('sha256').update(identity).digest(),
    fingerprint: createHash('sha256').update(bodyBytesOf(request)).digest(),
    isReplay: false,
  }
}
