import type { EventType, HistoryEntry } from '@muster/contract'

import type { Caller } from '#domain/auth/caller'
import { countHistory, selectHistory, type Step } from '#storage/derived/history'
import type { Snapshot } from '#storage/engine/access'
import { selectKeyNames } from '#storage/nouns/keys'

import { differences } from './change.ts'
import { listing, type Listing } from './listing.ts'

export interface HistoryQuery {
  readonly include?: readonly string[]
}

interface Subject extends HistoryQuery {
  readonly id: string
  /** The schema of the resource. Changes are listed in the order of its fields. */
  readonly shape: { readonly properties: object }
  /** Throws when the resource does not exist at this path. */
  readonly refuseMissing: (snapshot: Snapshot) => Promise<unknown>
}

/** Lists the history of one resource, one entry for each change. */
export function listHistory(caller: Caller<never>, subject: Subject): Listing<HistoryEntry> {
  const { id, shape, refuseMissing, include = [] } = subject
  const fields = Object.keys(shape.properties).filter((name) => !omittedFields.has(name))
  const isNamed = include.includes('keys')
  return listing(caller, {
    counter: null,
    count: (snapshot, max) => countHistory(snapshot, id, max),
    select: async (snapshot, page) => {
      await refuseMissing(snapshot)
      const { items, next } = await selectHistory(snapshot, id, page)
      const ids = items.flatMap(({ actor }) => actor.id ?? [])
      const names = isNamed ? await selectKeyNames(snapshot, [...new Set(ids)]) : null
      return { items: items.map((step) => presentStep(step, { fields, names })), next }
    },
  })
}

/** Fields that never change, change every time, or repeat another field. */
const omittedFields = new Set(['id', 'user_id', 'version', 'created_at', 'updated_at'])

interface Presentation {
  readonly fields: string[]
  /** The names of keys, for `include=keys`. */
  readonly names: ReadonlyMap<string, string> | null
}

function presentStep(
  { before, after, data, actor, ...step }: Step,
  { fields, names }: Presentation,
): HistoryEntry {
  const { note } = data
  const name = names?.get(actor.id ?? '') ?? null
  return {
    seq: step.seq,
    // The casts hold because the service records only event types and actors of the contract.
    type: step.type as EventType,
    occurred_at: step.occurred_at,
    actor: { ...actor, name } as HistoryEntry['actor'],
    request_id: step.request_id,
    note: typeof note === 'string' ? note : null,
    changes: changesBetween(before ?? {}, after, fields),
  }
}

type State = Readonly<Record<string, unknown>>

/** For a new resource: every field that is not empty. */
function changesBetween(before: State, after: State, fields: string[]) {
  const changed = new Set(differences(before, after))
  return fields
    .filter((field) => changed.has(field))
    .filter((field) => field in before || !isEmptyValue(after[field]))
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] ?? null }))
}

const isEmptyValue = (value: unknown) =>
  value === null || JSON.stringify(value) === '[]' || JSON.stringify(value) === '{}'
