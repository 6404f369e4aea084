import type { Input, Operations, Output } from '@muster/contract'
import routes from '@muster/contract/routes.json' with { type: 'json' }

import { PositionLostError, ProblemError } from './problem.ts'
import { queryString } from './query.ts'
import { jitterMs, type Request, send, type Transport } from './send.ts'

type List = Operations['events']['list']
type Page = Output<List>

/** One event of the log, with its own `position`. */
export type ChangeEvent = Page['data'][number]

/** The filters of `events.list`, and where to continue. `limit` is the most events of a page. */
export type FollowOptions = Omit<Input<List>['query'], 'after'> & {
  /** The stored position, or `now`. Without it, the first event of the workspace comes first. */
  readonly after?: string | undefined
  /**
   * Called with the position where to continue, when the loop has finished all events of a page. A
   * program that ends in between gets the events of that page again: each arrives at least once.
   */
  readonly store?: ((position: string) => unknown) | undefined
  /** Ends the loop at once with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** How long the service holds a request while there is no event: 1 to 50, by default 50. */
  readonly wait_seconds?: number | undefined
}

/** Iterates over all events in order, and waits for those to come. */
export type Follow = (options?: FollowOptions) => AsyncIterable<ChangeEvent>

export async function* followEvents(
  transport: Transport,
  { after, store, signal, wait_seconds = 50, ...query }: FollowOptions,
): AsyncGenerator<ChangeEvent> {
  let position = after
  // A wrong address fails at once. An interruption later has no bound.
  let patient = transport
  for (;;) {
    const request = requestOf({ ...query, after: position }, { signal, wait_seconds })
    const { page, pauseMs } = await readPage(patient, request)
    for (const event of page.data) {
      signal?.throwIfAborted()
      yield event
    }
    if (page.position !== position) await store?.(page.position)
    position = page.position
    patient = { ...transport, retriesMax: Number.POSITIVE_INFINITY }
    if (pauseMs > 0) await transport.wait(pauseMs, signal)
  }
}

function requestOf(
  query: Readonly<Record<string, unknown>>,
  { signal, wait_seconds }: { readonly signal: AbortSignal | undefined; wait_seconds: number },
): Request {
  const [method = 'GET', path = ''] = routes.events.list
  return {
    method,
    path: `${path}${queryString(query)}`,
    headers: { prefer: `wait=${wait_seconds}` },
    body: undefined,
    signal,
    accepts: 'application/json',
    waitMs: wait_seconds * 1000,
  }
}

async function readPage(transport: Transport, request: Request) {
  const began = performance.now()
  try {
    const { body, headers } = await send(transport, request)
    // The cast holds because the service answers with what the contract declares.
    const page = body as Page
    const isAtEnd = page.count === 0 && !page.has_more
    const heldMs = performance.now() - began
    return { page, pauseMs: isAtEnd ? pauseAfter(headers, heldMs) : 0 }
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'position_lost') throw error
    throw new PositionLostError(error.problem)
  }
}

/** How long to wait after a response without events, which the service held for this time. */
function pauseAfter(headers: Headers, heldMs: number): number {
  const applied = /\bwait=(\d+)/.exec(headers.get('preference-applied') ?? '')
  if (applied) {
    // A response before the time is over: that process of the service is about to end.
    const isEarly = heldMs < Number(applied[1]) * 900
    return isEarly ? jitterMs(3000) : 0
  }
  const retryAfter = headers.get('retry-after')
  // An earlier release cannot wait, and does not say so.
  if (retryAfter === null) return 1000 + jitterMs(1000)
  // The service has no room for another request that waits.
  return (Number(retryAfter) || 5) * 1000
}
