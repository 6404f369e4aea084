import { nouns } from '#storage/schema/nouns'
import type { Row } from '#storage/schema/row-tables'
import type { RowWrite, SummaryCount, WithMetadata } from '#storage/statements/access'

type IndexRowTable = 'risk_index_rows' | 'issue_index_rows'

/** The derived rows of a listed item. */
interface Listed<T extends IndexRowTable> {
  readonly indexRows: readonly Row<T>[]
  readonly counts: readonly SummaryCount[]
}

interface Written<T extends IndexRowTable> {
  readonly noun: 'risk' | 'issue'
  readonly table: T
  readonly after: WithMetadata
  /** Null for a new item. */
  readonly before: WithMetadata | null
  /** The derived rows of each state; null for an item that its roll-up does not list. */
  readonly was: Listed<T> | null
  readonly is: Listed<T> | null
}

/**
 * Writes everything that is derived from a risk or an issue: index rows, summary counts, the quota
 * counter, the history and the sequence number of the collection. All writers use it.
 */
export function writeDerived<T extends IndexRowTable>(write: RowWrite, written: Written<T>): void {
  const { noun, table, before, after, was, is } = written
  const { collection, quota } = nouns[noun]
  const [oldRows, newRows] = [was?.indexRows ?? [], is?.indexRows ?? []]
  for (const row of without(oldRows, newRows)) write.delete(table, row)
  for (const row of without(newRows, oldRows)) write.insert(table, row)
  write.addSummaryCounts(was?.counts ?? [], -1)
  write.addSummaryCounts(is?.counts ?? [], 1)
  write.count(quota, Number(is !== null) - Number(was !== null))
  write.touch(collection)
  write.keep({ noun, before, after })
}

/** The elements of `these` that are not in `those`. */
function without<T>(these: readonly T[], those: readonly T[]): T[] {
  const known = new Set(those.map((each) => JSON.stringify(each)))
  return these.filter((each) => !known.has(JSON.stringify(each)))
}

/** One index row for each flag and each tag, with the position in the order of the roll-up. */
export const indexRowsAt = <P extends object>(
  { flags, tags }: { readonly flags: readonly string[]; readonly tags: readonly string[] },
  place: P,
) => [
  ...flags.map((value) => ({ kind: 'flag' as const, value, ...place })),
  ...tags.map((value) => ({ kind: 'tag' as const, value, ...place })),
]
