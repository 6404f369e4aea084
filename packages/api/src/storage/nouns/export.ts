import { sql } from 'kysely'

import type { WholeState } from '#storage/derived/import-states'
import { nouns } from '#storage/schema/nouns'
import type { Read } from '#storage/statements/access'
import { type PageResult, pageOf, isOwn, nil, type Page, rowsFor } from '#storage/statements/keyset'
import { encodeId, encodeOptional } from '#storage/values/id'

import { eventColumns, type EventRow, presentEvent, type StoredEvent } from './event-rows.ts'
import type { ReferenceNumbers } from './projects.ts'

/** Reads all events, oldest first. */
export async function selectEvents(read: Read, page: Page): Promise<PageResult<StoredEvent>> {
  const [seq, position] = page.after ?? [0, -1]
  const { rows } = await sql<EventRow>`
    select ${eventColumns}
    from events
    where ${isOwn(read, 'events')} and (seq, position) > (${seq}::bigint, ${position}::smallint)
    order by seq, position limit ${rowsFor(page)}`.execute(read.db)
  return pageOf(rows, { limit: page.limit, columns: ['seq', 'position'], present: presentEvent })
}

/** A term of the sequence numbers. */
export interface ExportedTerm {
  readonly first_seq: number
  readonly term: string
  readonly started_at: string
}

/** Reads all terms, oldest first. */
export async function selectTerms(read: Read, page: Page): Promise<PageResult<ExportedTerm>> {
  const [first, term] = page.after ?? [0, '']
  const { rows } = await sql<ExportedTerm>`
    select first_seq, term, started_at from term_starts
    where ${isOwn(read, 'term_starts')} and (first_seq, term) > (${first}::bigint, ${term}::text)
    order by first_seq, term limit ${rowsFor(page)}`.execute(read.db)
  return pageOf(rows, { limit: page.limit, columns: ['first_seq', 'term'], present: (row) => row })
}

/** A state of an item, and the sequence numbers between which it was valid. */
export interface ExportedState extends WholeState {
  readonly to_seq: number | null
}

/** Reads every state of every item, item by item. A state has its metadata and its end. */
export async function selectStates(read: Read, page: Page): Promise<PageResult<ExportedState>> {
  const [id, from] = page.after ?? [nil, 0]
  const { rows } = await sql<ExportedState>`
    select noun, id, from_seq, (
        select next.from_seq from history as next where ${isOwn(read, 'next')}
          and next.id = state.id and next.from_seq > state.from_seq
        order by next.from_seq limit 1
      ) as to_seq, data || jsonb_build_object('metadata', coalesce(metadata, (
        select stored.metadata from history as stored where ${isOwn(read, 'stored')}
          and stored.id = state.id and stored.from_seq = state.metadata_seq
      ))) as data
    from history as state
    where ${isOwn(read, 'state')} and (id, from_seq) > (${id}::uuid, ${from}::bigint)
    order by id, from_seq limit ${rowsFor(page)}`.execute(read.db)
  return pageOf(rows, {
    limit: page.limit,
    columns: ['id', 'from_seq'],
    present: (row) => ({ ...row, id: encodeId(nouns[row.noun].prefix, row.id) }),
  })
}

/** The last reference numbers of a project. */
export interface NumberedProject extends ReferenceNumbers {
  readonly project_id: string
}

export async function selectNumbers(read: Read, page: Page): Promise<PageResult<NumberedProject>> {
  const rows = await read.db
    .selectFrom('projects')
    .select(['id', 'risk_number', 'issue_number', 'task_number'])
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '>', String(page.after?.[0] ?? nil))
    .orderBy('id')
    .limit(rowsFor(page))
    .execute()
  return pageOf(rows, {
    limit: page.limit,
    columns: ['id'],
    present: ({ id, ...numbers }) => ({ project_id: encodeId('prj', id), ...numbers }),
  })
}

export type ExportedAccess = Awaited<ReturnType<typeof selectAccess>>[number]

/** All roles, in order of creation. */
export async function selectAccess(read: Read) {
  const rows = await read.db
    .selectFrom('access_entries')
    .select(['role', 'user_id', 'group_id', 'is_granting', 'version', 'created_at'])
    .where('workspace_id', '=', read.workspaceId)
    .orderBy('created_at')
    .orderBy('subject_id')
    .execute()
  return rows.map((row) => ({
    ...row,
    user_id: encodeOptional('usr', row.user_id),
    group_id: encodeOptional('grp', row.group_id),
  }))
}
