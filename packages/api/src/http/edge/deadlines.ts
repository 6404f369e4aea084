/** The time limits of handlers. */

import type { FastifyReply, FastifyRequest } from 'fastify'

import { Failure } from '#domain/engine/failure'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long the handler may take; by default as long as that of a write. */
    handlerMs?: number
  }
}

interface Handled {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** A request in progress, and when its handler must have answered. */
interface Deadline extends Handled {
  readonly at: number
}

/**
 * Answers requests whose handler takes too long. Fastify's `handlerTimeout` creates a timer, an
 * AbortController and three listeners for each request. Here one timer serves all requests with
 * the same limit, because their deadlines come in the order of their starts.
 */
export class Deadlines {
  readonly #defaultMs: number
  readonly #queues = new Map<number, DeadlineQueue>()

  constructor(defaultMs: number) {
    this.#defaultMs = defaultMs
  }

  /** Call the result when the request has ended. */
  begin(handled: Handled, handlerMs = this.#defaultMs): () => void {
    const queue = this.#queues.get(handlerMs) ?? new DeadlineQueue()
    this.#queues.set(handlerMs, queue)
    return queue.add({ ...handled, at: performance.now() + handlerMs })
  }
}

class DeadlineQueue {
  readonly #pending = new Set<Deadline>()
  #isScheduled = false

  add(deadline: Deadline): () => void {
    this.#pending.add(deadline)
    this.#schedule()
    return () => this.#pending.delete(deadline)
  }

  #schedule(): void {
    const [first] = this.#pending
    if (first === undefined || this.#isScheduled) return
    this.#isScheduled = true
    setTimeout(() => this.#answerLate(), first.at - performance.now()).unref()
  }

  #answerLate(): void {
    const now = performance.now()
    for (const deadline of this.#pending) {
      if (deadline.at > now) break
      this.#pending.delete(deadline)
      answerLate(deadline)
    }
    this.#isScheduled = false
    this.#schedule()
  }
}

/** `sent` is true for a complete list in progress, which has limits of its own. */
function answerLate({ request, reply }: Deadline): void {
  if (reply.sent) return
  if (reply.raw.headersSent) {
    reply.raw.destroy()
    return
  }
  const cause = new Error('the handler did not answer in time')
  const problem = request.raw.complete ? 'unavailable' : 'request_timeout'
  void reply.send(new Failure(problem, undefined, { cause }))
}
