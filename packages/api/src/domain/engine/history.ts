import type { EventType, HistoryEntry } from '@muster/contract'

import { countHistory, selectHistory, type Step } from '#storage/derived/history'
import { selectKeyNames } from '#storage/nouns/keys'
import { selectPersonNames } from '#storage/nouns/personnel'
import type { Snapshot } from '#storage/statements/access'

import type { Caller } from './caller.ts'
import { differences } from './change.ts'
import { listing, type Listing } from './listing.ts'

export interface HistoryQuery {
  readonly sort?: 'seq' | '-seq'
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
  const { id, shape, refuseMissing, include = [], sort } = subject
  const list = { id, isDescending: sort === '-seq' }
  const fields = Object.keys(shape.properties).filter((name) => !omittedFields.has(name))
  return listing(caller, {
    counter: null,
    count: (snapshot, max) => countHistory(snapshot, id, max),
    select: async (snapshot, page) => {
      await refuseMissing(snapshot)
      const { items, next } = await selectHistory(snapshot, list, page)
      const names = await selectActorNames(snapshot, { items, include })
      return { items: items.map((step) => presentStep(step, { fields, names })), next }
    },
  })
}

/** The names of people for `include=people`, and of keys for `include=keys`, by id. */
async function selectActorNames(
  snapshot: Snapshot,
  { items, include }: { readonly items: readonly Step[]; readonly include: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (type: string) => [
    ...new Set(items.flatMap(({ actor }) => (actor.type === type && actor.id) || [])),
  ]
  const people = include.includes('people') ? idsOf('person') : []
  const keys = include.includes('keys') ? idsOf('key') : []
  const [personNames, keyNames] = await Promise.all([
    people.length > 0 ? selectPersonNames(snapshot, people) : [],
    keys.length > 0 ? selectKeyNames(snapshot, keys) : [],
  ])
  return new Map([...keyNames, ...personNames.map(({ user_id, name }) => [user_id, name] as const)])
}

/** Fields that never change, change every time, or repeat another field. */
const omittedFields = new Set(['id', 'user_id', 'version', 'created_at', 'updated_at'])

/**
 * Fields that never change, and that only the first entry lists: a state that an earlier release
 * has written can lack them.
 */
const permanentFields = new Set(['identified_at'])

interface Presentation {
  readonly fields: string[]
  /** The names of people and keys, by id. */
  readonly names: ReadonlyMap<string, string>
}

function presentStep(
  { before, after, data, actor, ...step }: Step,
  { fields, names }: Presentation,
): HistoryEntry {
  const { note, is_planned } = data
  const name = names.get(actor.id ?? '') ?? null
  return {
    seq: step.seq,
    // The casts hold because the service records only event types and actors of the contract.
    type: step.type as EventType,
    occurred_at: step.occurred_at,
    actor: { ...actor, name } as HistoryEntry['actor'],
    request_id: step.request_id,
    is_planned: is_planned === true,
    note: typeof note === 'string' ? note : null,
    changes: changesBetween(before, after, fields),
  }
}

type State = Readonly<Record<string, unknown>>

/** For a new resource: every field that is not empty. */
function changesBetween(state: State | null, after: State, fields: string[]) {
  const before = state ?? {}
  const changed = new Set(differences(before, after))
  return fields
    .filter((field) => changed.has(field))
    .filter((field) => state === null || !permanentFields.has(field))
    .filter((field) => field in before || !isEmptyValue(after[field]))
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] ?? null }))
}

const isEmptyValue = (value: unknown) =>
  value === null || JSON.stringify(value) === '[]' || JSON.stringify(value) === '{}'
