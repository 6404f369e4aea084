import { limits } from '@muster/contract'

import { systemActor } from '#domain/engine/caller'
import type { NewAuditEntry } from '#storage/nouns/audit'

/** A refused request or a failed sign-in, as an entry of the audit log. */
export interface AuditedRefusal extends NewAuditEntry {
  readonly type: 'sign_in.failed' | 'request.refused'
  /** A code in snake_case, without data of the request. */
  readonly reason: string
  readonly workspaceId: string
}

/** Refusals that one entry stands for, and when the first of them came. */
export interface CountedRefusal {
  readonly refusal: AuditedRefusal
  readonly count: number
  readonly beganMs: number
}

/** Refusals after the first one of their kind. */
interface Rest {
  readonly refusal: AuditedRefusal
  count: number
  beganMs: number
  /** Null if they differ. */
  userAgent: string | null
}

interface WorkspaceRefusals {
  readonly kinds: Map<string, Rest>
  /** The refusals of further kinds. */
  other: Rest | null
}

/** The workspaces of a minute. Refusals of more are not recorded, which bounds the memory. */
const workspacesMax = 1000

/**
 * The refusals of a minute, in memory. The first one of a kind is recorded at once, and the others
 * are counted. A kind is a reason, a network and a credential.
 */
export class RefusalWindow {
  #workspaces = new Map<string, WorkspaceRefusals>()

  /** Whether to record the refusal at once. */
  isFirst(refusal: AuditedRefusal, nowMs: number): boolean {
    const { workspaceId } = refusal
    const known = this.#workspaces.get(workspaceId)
    if (known === undefined && this.#workspaces.size >= workspacesMax) return false
    const refusals = known ?? { kinds: new Map(), other: null }
    if (known === undefined) this.#workspaces.set(workspaceId, refusals)
    const kind = kindOf(refusal)
    const rest = refusals.kinds.get(kind)
    if (rest !== undefined) return addTo(rest, refusal, nowMs)
    if (refusals.kinds.size < limits.refusalKindsMax) {
      refusals.kinds.set(kind, restOf(refusal, nowMs))
      return true
    }
    refusals.other ??= restOf(otherThan(refusal), nowMs)
    return addTo(refusals.other, refusal, nowMs)
  }

  /** Ends the minute: returns an entry for the rest of each kind, and one for all others. */
  end(): CountedRefusal[] {
    const ended = [...this.#workspaces.values()].flatMap(({ kinds, other }) => [
      ...kinds.values(),
      ...(other ? [other] : []),
    ])
    this.#workspaces = new Map()
    return ended.flatMap(({ refusal, count, beganMs, userAgent }) =>
      count === 0 ? [] : [{ refusal: { ...refusal, userAgent }, count, beganMs }],
    )
  }
}

const kindOf = ({ type, reason, network, subjectId, userId }: AuditedRefusal) =>
  [type, reason, network, subjectId, userId].join(' ')

const restOf = (refusal: AuditedRefusal, nowMs: number): Rest => ({
  refusal,
  count: 0,
  beganMs: nowMs,
  userAgent: refusal.userAgent,
})

function addTo(rest: Rest, { userAgent }: AuditedRefusal, nowMs: number): false {
  if (rest.count === 0) {
    rest.beganMs = nowMs
    rest.userAgent = rest.refusal.network === null ? null : userAgent
  } else if (rest.userAgent !== userAgent) rest.userAgent = null
  rest.count += 1
  return false
}

const otherThan = ({ workspaceId }: AuditedRefusal): AuditedRefusal => ({
  workspaceId,
  type: 'request.refused',
  actor: systemActor,
  reason: 'other',
  network: null,
  userAgent: null,
})
