/** Refusals in the audit log, recorded in the background. */

import { limits } from '@muster/contract'

import { type Origin, systemActor } from '#domain/engine/caller'
import { deleteOldestRefusals, insertRefusals } from '#storage/nouns/audit'
import type { Database } from '#storage/transaction/database'

import { type CountedRefusal, type AuditedRefusal, RefusalWindow } from './refusal-window.ts'

/** A sign-in that failed, as an entry of the audit log. */
export const failedSignIn = ({ origin, ...refused }: FailedSignIn): AuditedRefusal => ({
  type: 'sign_in.failed',
  actor: systemActor,
  ...refused,
  ...origin,
})

interface FailedSignIn extends Pick<AuditedRefusal, 'workspaceId' | 'reason'> {
  readonly origin: Origin
  /** The person who would have signed in, if that is certain. */
  readonly userId?: string | null
}

/** Entries that wait for the database. Further ones are dropped. */
const waitingMax = 10_000

/**
 * Records refused requests and failed sign-ins. The first refusal of a kind is written at once. The
 * others of that minute are one entry with their number, written when the minute ends or the
 * service stops. So the entries of a workspace in a minute are bounded, and none is ever changed.
 *
 * Refusals of genuine credentials and those of anyone else are counted, written and kept apart:
 * anonymous requests can neither hide nor displace the use of a stolen key. Each sort has one
 * connection at most, and no request waits for it.
 */
export class RefusalLog {
  readonly #sorts: Readonly<Record<'genuine' | 'anonymous', RefusalWriter>>
  readonly #minuteMs: number
  #minute: NodeJS.Timeout | null = null

  constructor(database: Database, minuteMs = 60_000) {
    this.#minuteMs = minuteMs
    this.#sorts = {
      genuine: new RefusalWriter(database, false),
      anonymous: new RefusalWriter(database, true),
    }
  }

  /** A refusal is genuine if it names a credential that exists, or the person who signed in. */
  record(refusal: AuditedRefusal): void {
    const isAnonymous = !refusal.subjectId && !refusal.userId
    this.#sorts[isAnonymous ? 'anonymous' : 'genuine'].add(refusal)
    this.#minute ??= setTimeout(() => void this.endMinute(), this.#minuteMs).unref()
  }

  /** Writes what the minute counted, and waits until everything is written. */
  async endMinute(): Promise<void> {
    if (this.#minute !== null) clearTimeout(this.#minute)
    this.#minute = null
    const { genuine, anonymous } = this.#sorts
    await Promise.all([genuine.endMinute(), anonymous.endMinute()])
  }
}

/** Writes the refusals of one sort, one workspace at a time. */
class RefusalWriter {
  readonly #database: Database
  readonly #isAnonymous: boolean
  readonly #window = new RefusalWindow()
  #waiting: CountedRefusal[] = []
  #writing: Promise<void> | null = null

  constructor(database: Database, isAnonymous: boolean) {
    this.#database = database
    this.#isAnonymous = isAnonymous
  }

  add(refusal: AuditedRefusal): void {
    const now = performance.now()
    if (!this.#window.isFirst(refusal, now)) return
    this.#enqueue([{ refusal, count: 1, beganMs: now }])
    void this.#write()
  }

  async endMinute(): Promise<void> {
    this.#enqueue(this.#window.end())
    await this.#writing
    await this.#write()
  }

  #enqueue(refusals: readonly CountedRefusal[]): void {
    this.#waiting.push(...refusals.slice(0, waitingMax - this.#waiting.length))
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null
    })
    return this.#writing
  }

  /** What cannot be written waits for the next refusal, or for the end of the minute. */
  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const byWorkspace = Map.groupBy(this.#waiting, ({ refusal }) => refusal.workspaceId)
      this.#waiting = []
      for (const [workspaceId, refusals] of byWorkspace) {
        if (await this.#isWritten(workspaceId, refusals)) byWorkspace.delete(workspaceId)
      }
      if (byWorkspace.size === 0) continue
      this.#enqueue([...byWorkspace.values()].flat())
      return
    }
  }

  async #isWritten(workspaceId: string, refusals: readonly CountedRefusal[]): Promise<boolean> {
    const isAnonymous = this.#isAnonymous
    const now = performance.now()
    const entries = refusals.map(({ refusal, count, beganMs }) => {
      const { workspaceId: _, ...entry } = refusal
      return { ...entry, count, ageSeconds: (now - beganMs) / 1000, isAnonymous }
    })
    try {
      await this.#database.writeUnnumbered({ workspaceId }, async (read) => {
        const inserted = await insertRefusals(read, entries)
        const keptMax = limits.auditFailuresMax
        if (inserted > 0) await deleteOldestRefusals(read, { isAnonymous, keptMax })
      })
      return true
    } catch {
      return false
    }
  }
}
