import { requestTimeouts } from '#http/edge/admission'
import type { Timeouts } from '#service'
import { type DatabaseTimeouts, databaseTimeouts } from '#storage/connection/timeouts'

const factor = 10

/** The cast holds because no name is left out. */
const longer = <Name extends string>(limits: Readonly<Record<Name, number>>) =>
  Object.fromEntries(
    Object.entries<number>(limits).map(([name, ms]) => [name, ms * factor]),
  ) as Record<Name, number>

/**
 * Ten times the time limits of the product. A machine that stalls for seconds makes a service with
 * the product's limits answer 503, and a functional test fail. Tests of the limits use the
 * product's.
 */
export const longTimeouts: Timeouts = {
  ...longer<keyof DatabaseTimeouts>(databaseTimeouts),
  queueMs: requestTimeouts.queueMs * factor,
  handlerMs: longer(requestTimeouts.handlerMs),
}
