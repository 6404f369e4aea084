import type { Authenticator, Credential, Principal } from '#domain/auth/authenticate'
import { readerLabel, unchangedEvents } from '#domain/events/events'

import type { FollowedPage, Followers, FollowerPlace } from './followers.ts'

/** How often the credential of a waiting request is checked, and a silent stream gets a heartbeat. */
const checkMs = 15_000

export interface FollowerOptions {
  readonly followers: Followers
  readonly place: FollowerPlace
  readonly authenticator: Authenticator
  readonly credential: Credential
  readonly address: string
  /** The query without `after`. */
  readonly query: Readonly<Record<string, unknown>>
  /** Reads the page of a principal after a position. */
  readonly read: (principal: Principal, after: string | undefined) => Promise<FollowedPage>
}

/**
 * Reads the log for one request, page after page. What it returns was read before the credential
 * was checked again. So nothing that was written after a revocation is sent.
 */
export class Follower {
  readonly #options: FollowerOptions
  #principal: Principal

  constructor(principal: Principal, options: FollowerOptions) {
    this.#options = options
    this.#principal = principal
  }

  /** Whether the client is gone or the process shuts down. */
  get isEnded(): boolean {
    return this.#options.place.signal.aborted
  }

  first(after: string | undefined): Promise<FollowedPage> {
    const unchanged = unchangedEvents(this.#principal, after)
    return unchanged ? Promise.resolve(unchanged) : this.#read(after)
  }

  /** Waits after an empty page, and says whether there may be events. */
  wait({ through: after }: FollowedPage, atMostMs = checkMs): Promise<boolean> {
    const { followers, place } = this.#options
    const forMs = Math.min(atMostMs, checkMs)
    const wait = { after, forMs, signal: place.signal }
    return followers.changes.next(this.#principal.workspaceId, wait)
  }

  /** The page after this one. Rights that changed meanwhile make its position invalid. */
  async next(page: FollowedPage, isChanged: boolean): Promise<FollowedPage> {
    const { authenticator, credential, address } = this.#options
    const after = page.position
    const next = isChanged ? await this.#read(after) : { ...page, data: [], count: 0 }
    const before = readerLabel(this.#principal)
    this.#principal = await authenticator.check(credential, address)
    return readerLabel(this.#principal) === before ? next : this.#read(after)
  }

  #read(after: string | undefined): Promise<FollowedPage> {
    const { followers, query, read } = this.#options
    const principal = this.#principal
    const label = readerLabel(principal)
    const name = JSON.stringify([principal.workspaceId, label, after, query])
    return followers.share(name, () => read(principal, after))
  }
}
