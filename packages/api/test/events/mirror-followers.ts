import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

import { pick } from '#test/soak/length'
import type { Json } from '#test/support/client'

import { attempt, open } from './mirror-requests.ts'
import { messagesIn } from './streams.ts'

/** The statuses of what is live: it leaves a project that is archived. */
const liveStatuses: Readonly<Record<string, readonly string[]>> = {
  risk: ['identified', 'treating', 'monitoring'],
  issue: ['open', 'in_progress', 'blocked'],
  task: ['todo', 'in_progress', 'blocked'],
}

interface Copied {
  readonly type: string
  readonly state: Json
}

/** A copy of what one key sees, made from the log alone. */
class Copy {
  /** Where it continues; stored together with what was read. */
  position: string | null = null
  readonly states = new Map<string, Copied>()
  /** The ids of the events, in order. */
  readonly seen: string[] = []
  /** Items that left the projects of the key. */
  dropped = 0

  apply({ id, seq, type, subject, states }: Json): void {
    this.seen.push(id)
    for (const each of states) {
      assert.equal(each.state?.version, seq, `${type} ${id}: the state of ${each.id}`)
      this.states.set(each.id, each)
    }
    // A key that is bound to the project does not see where its items went.
    if (type === 'project.archived') this.#dropLive(subject.id)
  }

  #dropLive(projectId: string): void {
    for (const [id, { type, state }] of this.states) {
      const isLive = liveStatuses[type]?.includes(state.status) ?? false
      if (!isLive || state.project_id !== projectId) continue
      this.states.delete(id)
      this.dropped += 1
    }
  }
}

export const kinds = ['page', 'wait', 'stream'] as const
export type Kind = (typeof kinds)[number]

interface Following {
  /** The base URL of the next request. */
  readonly base: () => string
  readonly isLast: (event: Json) => boolean
  /** Whether the test has failed. */
  readonly isOver: () => boolean
}

export class Follower {
  readonly kind: Kind
  readonly token: string
  readonly copy = new Copy()
  /** How often it continued from its stored position after a connection ended. */
  continued = 0
  /** Pages that ended within a write. */
  withinWrite = 0
  readonly #next: () => number

  constructor({ kind, token, next }: { kind: Kind; token: string; next: () => number }) {
    this.kind = kind
    this.token = token
    this.#next = next
  }

  /** Reads until the last event. */
  async follow({ base, isLast, isOver }: Following): Promise<void> {
    while (!isOver()) {
      const read = this.kind === 'stream' ? this.#readStream(base()) : this.#readPage(base())
      for await (const event of read) if (isLast(event)) return
    }
  }

  #query(more: Record<string, string> = {}): string {
    const after = this.copy.position === null ? {} : { after: this.copy.position }
    return `/v1/events?${new URLSearchParams({ include: 'states', ...after, ...more }).toString()}`
  }

  async *#readPage(base: string): AsyncGenerator<Json, void> {
    const next = this.#next
    const reply = await attempt({
      base,
      token: this.token,
      path: this.#query({ limit: pick(['20', '100', '500'], next) }),
      headers: { prefer: this.kind === 'wait' ? 'wait=5' : undefined },
      // The connection of one request in twenty ends early.
      endAfterMs: next() < 0.05 ? Math.floor(next() * 30) : undefined,
    })
    if (reply?.status !== 200) {
      assert.ok([undefined, 503].includes(reply?.status), JSON.stringify(reply))
      await this.#interrupted()
      return
    }
    const { data, position, has_more } = reply.body
    for (const event of data) this.copy.apply(event)
    this.copy.position = position
    if (data.at(-1)?.is_last_of_write === false) this.withinWrite += 1
    yield* data
    if (!has_more && this.kind === 'page') await sleep(100)
  }

  async *#readStream(base: string): AsyncGenerator<Json, void> {
    const last = this.copy.position ?? undefined
    const headers = { accept: 'text/event-stream', 'last-event-id': last }
    const path = '/v1/events?include=states'
    try {
      const { status, body } = await open({ base, token: this.token, path, headers })
      // A process that shuts down has no room for streams.
      assert.ok([200, 429, 503].includes(status), `status ${status}`)
      if (status === 200 && body) yield* this.#readMessages(body)
      else await body?.cancel()
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
    }
    await this.#interrupted()
  }

  /** Leaves the stream after some of its messages. */
  async *#readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<Json, void> {
    for await (const { id, event, data } of messagesIn(body)) {
      assert.notEqual(event, 'end', JSON.stringify(data))
      const isEvent = id !== null && event !== null
      if (isEvent) this.copy.apply(data)
      if (id !== null) this.copy.position = id
      if (isEvent) yield data
      if (this.#next() < 0.003) return
    }
  }

  async #interrupted(): Promise<void> {
    if (this.copy.position !== null) this.continued += 1
    await sleep(50)
  }
}
