import { limits, type Operations, type Output } from '@muster/contract'
import { Gauge, type Registry } from 'prom-client'

import type { Principal } from '#domain/auth/authenticate'
import { OpenCounts } from '#domain/engine/open-counts'
import type { WorkspaceChanges } from '#domain/events/changes'

export type FollowedPage = Output<Operations['events']['list']>

/** Requests that follow events in this process, of all workspaces. */
const followersMax = 1000

const kinds = ['wait', 'stream'] as const
type Kind = (typeof kinds)[number]

interface FollowersOptions {
  readonly changes: WorkspaceChanges
  /** Aborted when the process shuts down. */
  readonly ending: AbortSignal
  readonly registry: Registry
}

/** A request that follows events: it may wait until its signal is aborted. */
export interface FollowerPlace extends Disposable {
  readonly signal: AbortSignal
  /** Ends the waits of a client that is gone. */
  leave(): void
}

/**
 * The requests that wait for events or get a stream of them. Each holds a connection of its client
 * and nothing else, so there may be many: 20 of a key, 200 of a workspace, 1000 in the process.
 */
export class Followers {
  readonly changes: WorkspaceChanges
  readonly #ending: AbortSignal
  readonly #places = new Set<AbortController>()
  /** By key or person, by workspace, and by kind. */
  readonly #open = new OpenCounts()
  /** Pages that are being read, for all who ask for the same one. */
  readonly #reads = new Map<string, Promise<FollowedPage>>()

  constructor({ changes, ending, registry }: FollowersOptions) {
    this.changes = changes
    this.#ending = ending
    ending.addEventListener('abort', () => {
      for (const place of this.#places) place.abort()
    })
    this.#addMetric(registry)
  }

  get isEnding(): boolean {
    return this.#ending.aborted
  }

  /** Null if there is no room for another one, or the process shuts down. */
  enter(
    { id, workspaceId }: Pick<Principal, 'id' | 'workspaceId'>,
    kind: Kind,
  ): FollowerPlace | null {
    const isFull =
      this.isEnding ||
      this.#places.size >= followersMax ||
      this.#open.of(id) >= limits.followersPerKey ||
      this.#open.of(workspaceId) >= limits.followersPerWorkspace
    if (isFull) return null
    const controller = new AbortController()
    this.#places.add(controller)
    const ends = [id, workspaceId, kind].map((each) => this.#open.open(each))
    return {
      signal: controller.signal,
      leave: () => controller.abort(),
      [Symbol.dispose]: () => {
        this.#places.delete(controller)
        for (const end of ends) end()
      },
    }
  }

  /** Reads a page, or waits for the one with this name that is being read. */
  share(name: string, read: () => Promise<FollowedPage>): Promise<FollowedPage> {
    const started = this.#reads.get(name)
    if (started) return started
    const reading = read().finally(() => this.#reads.delete(name))
    this.#reads.set(name, reading)
    return reading
  }

  #addMetric(registry: Registry): void {
    const open = this.#open
    registry.registerMetric(
      new Gauge({
        name: 'muster_http_followers',
        help: 'Requests that wait for the next event, and streams of events.',
        labelNames: ['kind'],
        registers: [],
        collect() {
          for (const kind of kinds) this.set({ kind }, open.of(kind))
        },
      }),
    )
  }
}
