import { sql } from 'kysely'

import { insertStates } from '#storage/derived/import-states'
import { type StoredTask, withoutMetadata } from '#storage/nouns/tasks'
import type { Read } from '#storage/statements/access'
import { isOneOf, isOwn, nil } from '#storage/statements/keyset'
import { uuidOf } from '#storage/values/id'

/** The UUIDs of the next tasks by id, and of those among them that have no state. */
export async function selectTaskPage(read: Read, after: string | null, limit: number) {
  const { rows } = await sql<{ id: string; is_missing: boolean }>`
    select id, not exists (
        select from history where ${isOwn(read, 'history')} and history.id = tasks.id
      ) as is_missing
    from tasks where ${isOwn(read, 'tasks')} and id > ${after ?? nil}::uuid
    order by id limit ${limit}`.execute(read.db)
  return {
    last: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
    missing: rows.filter(({ is_missing }) => is_missing).map(({ id }) => id),
  }
}

/** Those of the tasks that have a state. A write may have added it meanwhile. */
export async function selectKept(read: Read, ids: readonly string[]): Promise<Set<string>> {
  const rows = await read.db
    .selectFrom('history')
    .select('id')
    .distinct()
    .where('workspace_id', '=', read.workspaceId)
    .where(isOneOf('id', ids))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Those of the tasks that have no event at their version. There are none. */
export async function selectWithoutEvent(
  read: Read,
  tasks: readonly StoredTask[],
): Promise<string[]> {
  const ids = tasks.map(({ id }) => uuidOf(id))
  const versions = tasks.map(({ version }) => version)
  const { rows } = await sql<{ id: string }>`
    select task.id from unnest(${ids}::uuid[], ${versions}::bigint[]) as task (id, version)
    where not exists (
      select from events where ${isOwn(read, 'events')} and seq = task.version
        and subject_id = task.id
    )`.execute(read.db)
  return rows.map(({ id }) => id)
}

/** Adds the present states of locked tasks. States have no version: it is their number. */
export const insertTaskStates = (read: Read, tasks: readonly StoredTask[]) =>
  insertStates(
    read,
    tasks.map((task) => ({
      noun: 'task',
      id: task.id,
      from_seq: task.version,
      data: { ...withoutMetadata(task), version: 0 },
    })),
  )
