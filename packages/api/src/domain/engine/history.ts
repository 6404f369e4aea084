import type { EventType, HistoryEntry } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { differences } from '#domain/change'
import { listing, type Listing } from '#domain/listing'
import type { Snapshot } from '#storage/database'
import { countHistory, selectHistory, type Step } from '#storage/history'

interface Subject {
  readonly id: string
  /** The resource as the contract describes it: changes are told in the order of its fields. */
  readonly shape: { readonly properties: object }
  /** Throws when there is no such thing, or not there where it was looked for. */
  readonly refuseMissing: (snapshot: Snapshot) => Promise<unknown>
}

/** What became of one thing, change by change. */
export function listHistory(caller: Caller<never>, subject: Subject): Listing<HistoryEntry> {
  const { id, shape, refuseMissing } = subject
  const fields = Object.keys(shape.properties).filter((name) => !untold.has(name))
  return listing(caller, {
    counter: null,
    count: (snapshot, max) => countHistory(snapshot, id, max),
    select: async (snapshot, page) => {
      await refuseMissing(snapshot)
      const { items, next } = await selectHistory(snapshot, id, page)
      return { items: items.map((step) => presentStep(step, fields)), next }
    },
  })
}

/** What never changes, or always does, and what is the same as another field. */
const untold = new Set(['id', 'user_id', 'version', 'created_at', 'updated_at'])

function presentStep({ before, after, data, ...step }: Step, fields: string[]): HistoryEntry {
  const { note } = data
  return {
    seq: step.seq,
    // The casts hold because only what the contract lists is ever recorded.
    type: step.type as EventType,
    occurred_at: step.occurred_at,
    actor: step.actor as HistoryEntry['actor'],
    request_id: step.request_id,
    note: typeof note === 'string' ? note : null,
    changes: changesBetween(before ?? {}, after, fields),
  }
}

type State = Readonly<Record<string, unknown>>

/** Of something new, everything that was said of it. */
function changesBetween(before: State, after: State, fields: string[]) {
  const changed = new Set(differences(before, after))
  return fields
    .filter((field) => changed.has(field))
    .filter((field) => field in before || !isNothing(after[field]))
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] ?? null }))
}

const isNothing = (value: unknown) =>
  value === null || JSON.stringify(value) === '[]' || JSON.stringify(value) === '{}'
