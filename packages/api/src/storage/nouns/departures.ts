import type { ReassignWork } from '@muster/contract'
import { type Selectable, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'
import type { Actor, Read, Write } from '#storage/statements/access'
import { nil, type Page, pageOf, type PageResult, rowsFor } from '#storage/statements/keyset'
import { encodeActor, encodeId, uuidOf, uuidOfOptional } from '#storage/values/id'

/** All but the handover, which can be large. */
const planColumns = [
  'user_id',
  'departs_on',
  'status_reason',
  'if_assigned',
  'planned_by_type',
  'planned_by_id',
  'planned_by_user_id',
  'planned_at',
  'refused_at',
  'refusal_code',
  'refusal_detail',
] as const satisfies (keyof DB['departures'])[]

const columns = [...planColumns, 'handover'] as const

type Row<C extends readonly (keyof DB['departures'])[]> = Pick<
  Selectable<DB['departures']>,
  C[number]
>

/** A principal who can plan: a key or a person. */
export interface Planner extends Actor {
  readonly type: 'key' | 'person'
  readonly id: string
}

/** A planned departure without the handover. */
export interface StoredPlan {
  readonly user_id: string
  readonly departs_on: string
  readonly status_reason: string | null
  readonly if_assigned: 'keep' | 'fail'
  readonly planned_by: Planner
  readonly planned_at: string
  /** Null until it is refused on its day. */
  readonly refusal: { code: string; detail: string; refused_at: string } | null
}

export interface StoredDeparture extends StoredPlan {
  readonly handover: ReassignWork | null
}

type PlanRow = Row<typeof planColumns>

function presentPlan({ planned_by_type, planned_by_id, ...row }: PlanRow): StoredPlan {
  const { planned_by_user_id, refused_at, refusal_code, refusal_detail, ...rest } = row
  const refusal = {
    code: refusal_code ?? '',
    detail: refusal_detail ?? '',
    refused_at: refused_at ?? '',
  }
  return {
    ...rest,
    user_id: encodeId('usr', row.user_id),
    // The cast holds because a constraint allows only these types.
    planned_by: encodeActor(planned_by_type, planned_by_id, planned_by_user_id) as Planner,
    refusal: refused_at === null ? null : refusal,
  }
}

const presentDeparture = ({ handover, ...row }: Row<typeof columns>): StoredDeparture => ({
  ...presentPlan(row),
  // The cast holds because a plan is stored only with a body of the contract.
  handover: handover as ReassignWork | null,
})

/** The columns of a plan. */
export const departureRow = ({ planned_by, refusal, handover, ...plan }: StoredDeparture) => ({
  ...plan,
  user_id: uuidOf(plan.user_id),
  handover: handover === null ? null : JSON.stringify(handover),
  planned_by_type: planned_by.type,
  planned_by_id: uuidOf(planned_by.id),
  planned_by_user_id: uuidOfOptional(planned_by.user_id),
  refused_at: refusal?.refused_at ?? null,
  refusal_code: refusal?.code ?? null,
  refusal_detail: refusal?.detail ?? null,
})

const plansOf = (read: Read) =>
  read.db.selectFrom('departures').select(planColumns).where('workspace_id', '=', read.workspaceId)

const departuresOf = (read: Read) => plansOf(read).select('handover')

export async function selectDeparture(read: Read, userId: string): Promise<StoredDeparture | null> {
  const row = await departuresOf(read).where('user_id', '=', uuidOf(userId)).executeTakeFirst()
  return row ? presentDeparture(row) : null
}

/** All planned departures, by day. `limits.departuresMax` bounds them. */
export async function selectDepartures(read: Read): Promise<StoredPlan[]> {
  const rows = await plansOf(read).orderBy('departs_on').orderBy('user_id').execute()
  return rows.map(presentPlan)
}

/** All planned departures, for the export. */
export async function selectDeparturePage(
  read: Read,
  page: Page,
): Promise<PageResult<StoredDeparture>> {
  const rows = await departuresOf(read)
    .where('user_id', '>', String(page.after?.[0] ?? nil))
    .orderBy('user_id')
    .limit(rowsFor(page))
    .execute()
  return pageOf(rows, { limit: page.limit, columns: ['user_id'], present: presentDeparture })
}

/** Departures whose day is over, oldest first. A suspended workspace has none: its people wait. */
export async function selectDueDepartures(
  read: Read,
  { today, limit }: { readonly today: string; readonly limit: number },
): Promise<StoredPlan[]> {
  const rows = await plansOf(read)
    .where('departs_on', '<', today)
    .where('refused_at', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('workspaces')
          .select('id')
          .where('id', '=', read.workspaceId)
          .where('status', '=', 'active'),
      ),
    )
    .orderBy('departs_on')
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map(presentPlan)
}

/** Locks the plan until the transaction ends. The caller has locked the person before. */
export async function lockDeparture(read: Read, userId: string): Promise<StoredDeparture | null> {
  const row = await departuresOf(read)
    .where('user_id', '=', uuidOf(userId))
    .forUpdate()
    .executeTakeFirst()
  return row ? presentDeparture(row) : null
}

/** The number of other people whose departure is planned. Other plans wait for this one. */
export async function countOtherDepartures(read: Read, userId: string): Promise<number> {
  const name = `departures of ${read.workspaceId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(read.db)
  const { count } = await read.db
    .selectFrom('departures')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', read.workspaceId)
    .where('user_id', '<>', uuidOf(userId))
    .executeTakeFirstOrThrow()
  return count
}

/** Adds the plan, or replaces that of the same person. */
export async function upsertDeparture(read: Read, plan: StoredDeparture): Promise<void> {
  const row = { workspace_id: read.workspaceId, ...departureRow(plan) }
  await read.db
    .insertInto('departures')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet(row))
    .execute()
}

type Refusal = NonNullable<StoredPlan['refusal']>

/** Keeps the reason with the plan, unless the plan was changed or cancelled meanwhile. */
export async function updateRefusal(
  read: Read,
  { user_id, planned_at }: StoredPlan,
  { code, detail, refused_at }: Refusal,
): Promise<void> {
  await read.db
    .updateTable('departures')
    .set({ refusal_code: code, refusal_detail: detail, refused_at })
    .where('workspace_id', '=', read.workspaceId)
    .where('user_id', '=', uuidOf(user_id))
    .where('planned_at', '=', planned_at)
    .execute()
}

/** Ends the plan of a person who departs, if there is one. */
export function deleteDeparture(write: Write, userId: string): void {
  write.delete('departures', { user_id: uuidOf(userId) })
}

/** Cancels the plan in a transaction without a sequence number. */
export async function cancelDeparture(read: Read, userId: string): Promise<void> {
  await read.db
    .deleteFrom('departures')
    .where('workspace_id', '=', read.workspaceId)
    .where('user_id', '=', uuidOf(userId))
    .execute()
}
