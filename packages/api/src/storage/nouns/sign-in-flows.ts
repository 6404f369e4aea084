import { sql } from 'kysely'

import type { DB } from '#storage/schema/tables'
import type { Read } from '#storage/statements/access'

import { deleteExpiredRows } from './expired-rows.ts'

type FlowKind = DB['sign_in_flows']['kind']

/** A sign-in that has begun in a browser. */
export interface NewFlow {
  /** The SHA-256 of the cookie. */
  readonly hash: Buffer
  readonly kind: FlowKind
  readonly data: object
  readonly minutes: number
}

export async function insertFlow(read: Read, flow: NewFlow): Promise<void> {
  await read.db
    .insertInto('sign_in_flows')
    .values({
      workspace_id: read.workspaceId,
      hash: flow.hash,
      kind: flow.kind,
      data: JSON.stringify(flow.data),
      expires_at: sql`now() + make_interval(mins => ${flow.minutes})`,
    })
    .execute()
}

/** Deletes a flow and returns its data; null if there is none: it works once, in any process. */
export async function takeFlow(
  read: Read,
  { hash, kind }: Pick<NewFlow, 'hash' | 'kind'>,
): Promise<unknown> {
  const row = await read.db
    .deleteFrom('sign_in_flows')
    .where('workspace_id', '=', read.workspaceId)
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .returning(['data', sql<boolean>`expires_at > now()`.as('is_live')])
    .executeTakeFirst()
  return row?.is_live ? row.data : null
}

/**
 * Deletes up to 100 flows: expired ones, and the oldest beyond `keptMax`. Each start of a sign-in
 * calls it, so that starts without an end cannot fill the table.
 */
export async function deleteOldFlows(read: Read, keptMax: number): Promise<void> {
  await deleteExpiredRows(read, 'sign_in_flows')
  await read.db
    .deleteFrom('sign_in_flows')
    .where('workspace_id', '=', read.workspaceId)
    .where('hash', 'in', (eb) =>
      eb
        .selectFrom('sign_in_flows')
        .select('hash')
        .where('workspace_id', '=', read.workspaceId)
        .orderBy('expires_at', 'desc')
        .offset(keptMax)
        .limit(100),
    )
    .execute()
}
