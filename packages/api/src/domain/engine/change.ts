/** Optimistic locking (`If-Match`, `version`), merge patches, and writes of what changed. */

import { isDeepStrictEqual } from 'node:util'

import type { EventType } from '@muster/contract'

import { nounOf, nouns } from '#storage/schema/nouns'
import type { Write } from '#storage/statements/access'

import type { Caller } from './caller.ts'
import { Failure, invalid } from './failure.ts'

/** Fields of every resource that each change sets. */
interface Versioned {
  readonly version: number
  readonly updated_at: string
}

/** Refuses the change if the caller has read another version (`If-Match`). */
export function refuseStale(caller: Caller<never>, { version }: Versioned): void {
  const { onlyIf } = caller
  if (onlyIf === null || onlyIf.includes(version)) return
  throw stale({ version })
}

const stale = ({ version }: Pick<Versioned, 'version'>) =>
  new Failure('version_mismatch', `It is at version ${version} now.`, {
    version,
    pointer: '/version',
  })

const always = new Set(['version', 'updated_at'])

/** The names of the fields that differ. */
export function differences(before: object, after: object): string[] {
  return Object.entries(after)
    .filter(([name]) => !always.has(name))
    .filter(([name, value]) => !isDeepStrictEqual(value, before[name as keyof object]))
    .map(([name]) => name)
}

/** True for a no-op: write nothing, not even derived fields. */
export const isSame = (before: object, wanted: object) => differences(before, wanted).length === 0

/** The changed fields of a resource. */
export type Changed<T> = Partial<T> | Promise<Partial<T>>

interface Item extends Versioned {
  readonly id: string
  readonly project_id?: string
}

/** An update of an existing resource, and its event. */
export interface SaveInput<T> {
  readonly before: T
  readonly after: T
  readonly type: EventType
  readonly note?: string | null
}

/** Writes the changed fields and records the event. Writes nothing for a no-op. */
export function save<T extends Item>(
  write: Write,
  { before, after, type, note = null }: SaveInput<T>,
  store: (write: Write, before: T, after: T) => void,
): T {
  const changed = differences(before, after)
  if (changed.length === 0) return before
  const saved = { ...after, version: 0, updated_at: write.now }
  store(write, before, saved)
  const { id: subject } = saved
  const project = nouns[nounOf(type)].project === 'own id' ? subject : (saved.project_id ?? null)
  write.record({ type, subject, project, changed, data: note === null ? {} : { note } })
  return saved
}

/** The reason for closing a risk or an issue. */
export interface CloseInput<R extends string> {
  readonly close_reason: R
  readonly close_note?: string | null
}

export const closed = <R extends string>(
  { close_reason, close_note = null }: CloseInput<R>,
  now: string,
) => ({ status: 'closed' as const, closed_at: now, close_reason, close_note })

/** For a read-only field: the operation that sets it. */
export type Advice = Readonly<Record<string, string>>

/**
 * The writable fields of a merge patch. Others must have their present value, so that a client can
 * send back what it read.
 */
export function applyPatch<T extends Versioned, W extends keyof T & string>(
  current: T,
  patch: object,
  { writable, advice = {} }: { writable: readonly W[]; advice?: Advice },
): Partial<Pick<T, W>> {
  const names: readonly string[] = writable
  const wanted: Record<string, unknown> = {}
  // First, because another version may differ in other fields too.
  if ('version' in patch && patch.version !== current.version) throw stale(current)
  for (const [name, value] of Object.entries(patch)) {
    if (names.includes(name)) wanted[name] = value
    else refuseOther(name, { is: current[name as keyof T], given: value, advice })
  }
  // The cast holds because the contract has validated the writable fields.
  return wanted as Partial<Pick<T, W>>
}

function refuseOther(
  name: string,
  { is, given, advice }: { is: unknown; given: unknown; advice: Advice },
): void {
  if (isDeepStrictEqual(is, given)) return
  const instead = advice[name] ?? 'It is set by the service'
  throw new Failure('read_only_field', `${name} cannot be changed by PATCH. ${instead}.`, {
    pointer: `/${name}`,
  })
}

type Json = Readonly<Record<string, unknown>>

/** Applies a merge patch to an object (RFC 7396): null removes a member. */
export function mergePatch(current: Json | null, patch: Json): Json {
  const result: Record<string, unknown> = { ...current }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else result[name] = value
  }
  return result
}

const keysMax = 50

/** Merges metadata and enforces the maximum of 50 keys, which repeated patches could exceed. */
export function mergedMetadata(current: Json, patch: Json): Record<string, string> {
  const metadata = mergePatch(current, patch)
  if (Object.keys(metadata).length > keysMax) {
    const detail = `must not have more than ${keysMax} keys`
    throw invalid({ pointer: '/metadata', code: 'too_many', detail })
  }
  // The cast holds because the contract allows text and null, and the merge removes null.
  return metadata as Record<string, string>
}

export interface Transition {
  readonly from: string
  readonly to: string
  readonly allowed: readonly string[]
}

export function invalidTransition(detail: string, { from, to, allowed }: Transition): Failure {
  return new Failure('invalid_transition', detail, { from, to, allowed })
}
