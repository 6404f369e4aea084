import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'

import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Principal } from '#domain/auth/authenticate'

import type { WindowState } from './fixed-window.ts'

/** What is known about a request before Fastify handles it: who sent it, or why it is refused. */
export class Outcome {
  /** When the request arrived, on the clock of `performance.now()`. */
  readonly startedAt = performance.now()
  /** The operation that its caller may execute; null for a route without authentication. */
  operation: string | null = null
  /** The caller; also of a refused request if it is known. */
  principal: Principal | null = null
  /** The error of a refused request; null for any other. */
  refusal: unknown = null
  /** The limits after this request was counted; null before. */
  rateLimitStates: readonly WindowState[] | null = null
  /** The headers that the response gets from this. */
  readonly responseHeaders: Record<string, string> = {}

  headers(given: Readonly<Record<string, string>>): void {
    Object.assign(this.responseHeaders, given)
  }
}

const outcomes = new WeakMap<IncomingMessage, Outcome>()

export const keepOutcome = (message: IncomingMessage, outcome: Outcome) =>
  outcomes.set(message, outcome)

export function outcomeOf(message: IncomingMessage): Outcome {
  const outcome = outcomes.get(message)
  assert(outcome, 'every request has an outcome before Fastify handles it')
  return outcome
}

/** Applies an outcome to a request and its reply, and throws the error of a refused one. */
export function applyOutcome(request: FastifyRequest, reply: FastifyReply, outcome: Outcome): void {
  request.principal = outcome.principal
  request.rateLimitStates = outcome.rateLimitStates
  reply.headers(outcome.responseHeaders)
  if (outcome.refusal !== null) throw outcome.refusal
}
