import type { Insertable } from 'kysely'

import { type NounName, nouns } from './nouns.ts'
import type { DB } from './tables.ts'

interface RowTableSpec {
  /** The columns that identify a row within its workspace. */
  readonly key: readonly string[]
  /** The column that holds the sequence number of the write; it is known only at the flush. */
  readonly number: string | null
}

/** Nouns whose rows are written singly: there are few of them, and they have other keys. */
const singleNouns = ['key', 'workspace', 'access', 'sign_in'] as const

type NounTable = (typeof nouns)[Exclude<NounName, (typeof singleNouns)[number]>]['table']
type NounTables = Record<NounTable, { readonly key: readonly ['id']; readonly number: 'version' }>

const nounTables: [string, NounTables[NounTable]][] = Object.values(nouns)
  .filter((noun) => !singleNouns.some((name) => noun === nouns[name]))
  .map(({ table }) => [table, { key: ['id'], number: 'version' }])

/**
 * The tables whose rows a write collects, each after the tables that it references: those of the
 * nouns in the order of the registry, then the others. The `singleNouns` are not among them.
 */
export const rowTables = {
  // The cast holds because these are the tables of the nouns.
  ...(Object.fromEntries(nounTables) as NounTables),
  memberships: { key: ['group_id', 'user_id'], number: 'version' },
  risk_index_rows: { key: ['id'], number: null },
  issue_index_rows: { key: ['id'], number: null },
  acceptances: { key: ['risk_id', 'accepted_at'], number: null },
  search_documents: { key: ['id'], number: null },
  audit_entries: { key: ['id'], number: null },
  binding_holds: { key: ['user_id'], number: null },
  departures: { key: ['user_id'], number: null },
} as const satisfies Partial<Record<keyof DB, RowTableSpec>>

export type RowTable = keyof typeof rowTables

// The cast holds because these are the keys of this object.
export const rowTableNames = Object.keys(rowTables) as RowTable[]

/** A row as a caller gives it: the workspace and the sequence number are added at the flush. */
export type Row<T extends RowTable> = Omit<
  Insertable<DB[T]>,
  'workspace_id' | ((typeof rowTables)[T]['number'] & string)
>
