import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Client } from 'pg'

import { type KeyedWrite, writeKeyed } from '#test/soak/keyed'

interface Ack extends KeyedWrite {
  /** When the response arrived, in milliseconds. */
  readonly at: number
}

/** What a run counts. */
export interface LoadCounts {
  readonly acked: number
  /** Acknowledged, and not in the database with the acknowledged number. */
  readonly lost: number
  /** More than one row for one Idempotency-Key. */
  readonly doubled: number
  /** Longest time between two acknowledged writes. */
  readonly gapMs: number
  /** Responses that were replayed: an earlier attempt had been committed. */
  readonly replayed: number
}

const writers = 4
const pauseMs = 20

/** Writers that each repeat a POST with its Idempotency-Key until the answer is definite. */
export class KeyedLoad {
  readonly #sender: { readonly base: () => string; readonly token: string }
  readonly #acks: Ack[] = []
  readonly #began = performance.now()
  readonly #run = randomUUID()
  readonly #running: readonly Promise<void>[]
  #isEnding = false
  #failure: unknown

  constructor({ base, token }: { readonly base: string; readonly token: string }) {
    this.#sender = { base: () => base, token }
    this.#running = Array.from({ length: writers }, (_, writer) => this.#write(writer))
    for (const each of this.#running) each.catch((error: unknown) => (this.#failure ??= error))
  }

  /** Waits for writes that were acknowledged from now on: one of each writer. */
  async acknowledged(seconds: number): Promise<void> {
    const after = this.#acks.length + writers
    for (let tries = 0; this.#acks.length < after; tries++) {
      if (this.#failure !== undefined) throw this.#failure
      assert.ok(tries < seconds * 10, `writes are not acknowledged within ${seconds} s`)
      await sleep(100)
    }
  }

  /** Ends the writers after their last write. */
  async end(): Promise<void> {
    this.#isEnding = true
    await Promise.all(this.#running)
  }

  /** Compares what was acknowledged with the rows of the database. */
  async compare(sql: Client): Promise<LoadCounts> {
    const { rows } = await sql.query<{ name: string; versions: number[] }>(
      `select name, array_agg(version::integer) as versions from people
       where starts_with(name, $1) group by name`,
      [this.#run],
    )
    const versions = new Map(rows.map((row) => [row.name, row.versions]))
    const isStored = ({ marker, version }: Ack) =>
      version !== null && versions.get(marker)?.includes(version)
    const times = [this.#began, ...this.#acks.map(({ at }) => at)]
    const gaps = times.map((at, index) => at - (times[index - 1] ?? at))
    return {
      acked: this.#acks.length,
      lost: this.#acks.filter((ack) => !isStored(ack)).length,
      doubled: rows.filter((row) => row.versions.length > 1).length,
      gapMs: Math.max(...gaps),
      replayed: this.#acks.filter(({ isReplay }) => isReplay).length,
    }
  }

  async #write(writer: number): Promise<void> {
    for (let index = 0; !this.#isEnding; index++) {
      const marker = `${this.#run}-${writer}-${index}`
      const body = { name: marker }
      const request = { marker, path: '/v1/personnel', body, rows: 1 }
      const write = await writeKeyed(this.#sender, request)
      assert.equal(write.code, null)
      this.#acks.push({ ...write, at: performance.now() })
      await sleep(pauseMs)
    }
  }
}
