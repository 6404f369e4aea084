import type { IncomingMessage } from 'node:http'

import proxyAddress from '@fastify/proxy-addr'

/** The proxies whose X-Forwarded headers are used. Finds the same address as Fastify. */
export class TrustedProxies {
  readonly #isTrusted: ((address: string, hop: number) => boolean) | null

  /** Addresses and CIDRs. */
  constructor(addresses: readonly string[]) {
    this.#isTrusted = addresses.length === 0 ? null : proxyAddress.compile([...addresses])
  }

  /** The address of the client. */
  addressOf(message: IncomingMessage): string {
    if (this.#isTrusted === null) return message.socket.remoteAddress ?? ''
    return proxyAddress(message, this.#isTrusted)
  }

  /** Whether the request comes from one of them. */
  haveSent({ socket }: IncomingMessage): boolean {
    return this.#isTrusted?.(socket.remoteAddress ?? '', 0) ?? false
  }
}
