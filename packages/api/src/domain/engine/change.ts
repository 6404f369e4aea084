import { isDeepStrictEqual } from 'node:util'

import type { Caller } from '#domain/caller'
import { Failure, invalid } from '#domain/failure'
import type { Write } from '#storage/database'

/** What every resource carries, and a change sets anew. */
interface Versioned {
  readonly version: number
  readonly updated_at: string
}

/** The change is to be made only to the version that the caller has read. */
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

/** The names of the fields in which two states differ. */
export function differences(before: object, after: object): string[] {
  return Object.entries(after)
    .filter(([name]) => !always.has(name))
    .filter(([name, value]) => !isDeepStrictEqual(value, before[name as keyof object]))
    .map(([name]) => name)
}

/** Nothing was wished that is not so already: then nothing is written, nor what would follow. */
export const isSame = (before: object, wanted: object) => differences(before, wanted).length === 0

/** What of a thing is to be otherwise; some of it may have to be looked up. */
export type Changed<T> = Partial<T> | Promise<Partial<T>>

interface Item extends Versioned {
  readonly id: string
  readonly project_id?: string
}

/** A change of something that is there, as it is told. */
export interface Saving<T> {
  readonly before: T
  readonly after: T
  readonly type: string
  readonly note?: string | null
}

/** Writes what changed, and tells it. What did not change is not written. */
export function save<T extends Item>(
  write: Write,
  { before, after, type, note = null }: Saving<T>,
  store: (write: Write, before: T, after: T) => void,
): T {
  const changed = differences(before, after)
  if (changed.length === 0) return before
  const saved = { ...after, version: 0, updated_at: write.now }
  store(write, before, saved)
  const { id: subject } = saved
  const project = saved.project_id ?? (type.startsWith('project.') ? subject : null)
  write.record({ type, subject, project, changed, data: note === null ? {} : { note } })
  return saved
}

/** How a risk or an issue ended. */
export interface Closing<R extends string> {
  readonly close_reason: R
  readonly close_note?: string | null
}

export const closed = <R extends string>(
  { close_reason, close_note = null }: Closing<R>,
  now: string,
) => ({ status: 'closed' as const, closed_at: now, close_reason, close_note })

/** What a read-only field is set by instead, where that is an operation of its own. */
export type Advice = Readonly<Record<string, string>>

/**
 * The fields of a merge patch that may be changed. All others must be as they are: whoever sends
 * back what they read changes nothing by it.
 */
export function patched<T extends Versioned, W extends keyof T & string>(
  current: T,
  patch: object,
  { writable, advice = {} }: { writable: readonly W[]; advice?: Advice },
): Partial<Pick<T, W>> {
  const names: readonly string[] = writable
  const wanted: Record<string, unknown> = {}
  // First of all: what was read of another version may well differ in other fields too.
  if ('version' in patch && patch.version !== current.version) throw stale(current)
  for (const [name, value] of Object.entries(patch)) {
    if (names.includes(name)) wanted[name] = value
    else refuseOther(name, { is: current[name as keyof T], given: value, advice })
  }
  // The cast holds because only writable fields were taken, and the contract has checked them.
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

/** An object with a merge patch applied to it (RFC 7396): null takes a member away. */
export function merged(current: Json | null, patch: Json): Json {
  const result: Record<string, unknown> = { ...current }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else result[name] = value
  }
  return result
}

const keysMax = 50

/** What a merge patch makes of metadata: it could add keys for ever. */
export function mergedMetadata(current: Json, patch: Json): Record<string, string> {
  const metadata = merged(current, patch)
  if (Object.keys(metadata).length > keysMax) {
    const detail = `must not have more than ${keysMax} keys`
    throw invalid({ pointer: '/metadata', code: 'too_many', detail })
  }
  // The cast holds because the contract allows text, and null, which the merge took away.
  return metadata as Record<string, string>
}

export interface Transition {
  readonly from: string
  readonly to: string
  readonly allowed: readonly string[]
}

export function impossible(detail: string, { from, to, allowed }: Transition): Failure {
  return new Failure('invalid_transition', detail, { from, to, allowed })
}
