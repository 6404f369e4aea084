import type { Counted, Stamped } from './counters.ts'
import type { Write } from './database.ts'
import type { Row } from './rows.ts'
import type { Tally } from './tallies.ts'

type MarkTable = 'risk_marks' | 'issue_marks'

/** What a risk or an issue is while it is on its roll-up; nothing when it is off it. */
interface Listed<T extends MarkTable> {
  readonly marks: readonly Row<T>[]
  readonly tallies: readonly Tally[]
}

interface Written<T extends MarkTable> {
  readonly noun: string
  readonly collection: Stamped
  readonly counted: Counted
  readonly table: T
  readonly after: { readonly id: string }
  /** Null for a new one. */
  readonly before: object | null
  /** What is listed of each state; null for one that is off the roll-up. */
  readonly was: Listed<T> | null
  readonly is: Listed<T> | null
}

/**
 * All that follows from writing a risk or an issue: where it can be found, what it is counted
 * under, its history, and the number of the collection. So no one who writes can forget any of it.
 */
export function follow<T extends MarkTable>(write: Write, written: Written<T>): void {
  const { noun, collection, counted, table, before, after, was, is } = written
  const [gone, come] = [was?.marks ?? [], is?.marks ?? []]
  for (const mark of without(gone, come)) write.delete(table, mark)
  for (const mark of without(come, gone)) write.insert(table, mark)
  write.tally(was?.tallies ?? [], -1)
  write.tally(is?.tallies ?? [], 1)
  write.count(counted, Number(is !== null) - Number(was !== null))
  write.touch(collection)
  write.keep({ noun, id: after.id, data: after, isNew: before === null })
}

/** Those of `these` that are not among `those`. */
function without<T>(these: readonly T[], those: readonly T[]): T[] {
  const known = new Set(those.map((each) => JSON.stringify(each)))
  return these.filter((each) => !known.has(JSON.stringify(each)))
}

/** One mark for each flag and each tag, at its place in the order of the roll-up. */
export const marksAt = <P extends object>(
  { flags, tags }: { readonly flags: readonly string[]; readonly tags: readonly string[] },
  place: P,
) => [
  ...flags.map((value) => ({ kind: 'flag' as const, value, ...place })),
  ...tags.map((value) => ({ kind: 'tag' as const, value, ...place })),
]
