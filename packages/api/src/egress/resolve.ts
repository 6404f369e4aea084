import { lookup, Resolver } from 'node:dns/promises'

import type { Destinations } from './destinations.ts'

/** Returns all addresses of a host name; none if it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>

/**
 * Resolves names in two ways. A name that the operator allows is resolved by the system, with
 * /etc/hosts. Any other name was chosen by a workspace and is resolved by DNS alone: the system
 * resolver blocks a thread of the process for as long as a name server does not answer.
 */
export function createResolve(destinations: Destinations): Resolve {
  return async (host) => {
    if (destinations.isNamed(host)) {
      const found = await lookup(host, { all: true })
      return found.map(({ address }) => address)
    }
    const resolver = new Resolver({ timeout: 1000, tries: 2 })
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  }
}
