import { type Selectable, sql } from 'kysely'

import { type Condition, isAmong } from '#storage/lists/conditions'
import { leadingKeys, type List } from '#storage/lists/index-ranges'
import type { DB } from '#storage/schema/tables'
import type { Read, Write } from '#storage/statements/access'
import { isOneOf } from '#storage/statements/keyset'
import { isWide, type ProjectScope } from '#storage/statements/view'
import { insertAll } from '#storage/transaction/loaded-rows'
import { encodeId, uuidOf } from '#storage/values/id'

const columns = [
  'risk_id',
  'accepted_at',
  'project_id',
  'ref',
  'title',
  'accepted_by_user_id',
  'expires_on',
  'rationale',
  'appetite',
  'likelihood',
  'impact',
  'status',
  'ended_at',
  'end_reason',
] as const satisfies (keyof DB['acceptances'])[]

type AcceptanceRow = Pick<Selectable<DB['acceptances']>, (typeof columns)[number]>
export type StoredAcceptance = ReturnType<typeof presentAcceptance>

function presentAcceptance({ appetite, ...row }: AcceptanceRow) {
  const { likelihood, impact } = row
  return {
    ...row,
    risk_id: encodeId('rsk', row.risk_id),
    project_id: encodeId('prj', row.project_id),
    accepted_by_user_id: encodeId('usr', row.accepted_by_user_id),
    risk_appetite: appetite,
    score: likelihood !== null && impact !== null ? likelihood * impact : null,
  }
}

/** Null for no filter. */
export interface AcceptancesFilter {
  readonly riskIds: readonly string[] | null
  readonly projects: ProjectScope
  readonly personIds: readonly string[] | null
  readonly statuses: readonly string[] | null
  /** The first day, and the day after the last one. */
  readonly from: string | null
  readonly before: string | null
}

/** Acceptances, the latest first. A range of days is a range of every index. */
export function acceptancesList(filter: AcceptancesFilter): List<StoredAcceptance> {
  const given = [
    { column: 'risk_id', type: 'uuid', values: filter.riskIds?.map(uuidOf) ?? null },
    { column: 'project_id', type: 'uuid', values: filter.projects.uuids },
    { column: 'accepted_by_user_id', type: 'uuid', values: filter.personIds?.map(uuidOf) ?? null },
    { column: 'status', type: 'text', values: filter.statuses },
  ] as const
  const days = [isAcceptedFrom(filter.from), isAcceptedBefore(filter.before)]
  const isOnly = given.filter(({ values }) => values !== null).length === 1
  const isView = isOnly && isWide(filter.projects)
  return {
    query: {
      table: 'acceptances',
      columns,
      keys: leadingKeys(given),
      order: [
        { name: 'accepted_at', type: 'timestamptz' },
        { name: 'risk_id', type: 'uuid' },
      ],
      isDescending: true,
      where: [...given.map(({ column, type, values }) => isAmong(column, values, type)), ...days],
      // The index of a project has the days.
      ...(isView && { where: days, isIdsFirst: true }),
    },
    present: presentAcceptance,
  }
}

const startOf = (day: string) => `${day}T00:00:00Z`

const isAcceptedFrom = (day: string | null): Condition => ({
  name: 'accepted from',
  value: day === null ? '-infinity' : startOf(day),
  test: (given) => sql`item.accepted_at >= ${given}::timestamptz`,
})

const isAcceptedBefore = (day: string | null): Condition => ({
  name: 'accepted before',
  value: day === null ? 'infinity' : startOf(day),
  test: (given) => sql`item.accepted_at < ${given}::timestamptz`,
})

/** Moves all acceptances of these risks to another project, with the risks. */
export function moveAcceptances(
  write: Write,
  riskIds: readonly string[],
  toProjectId: string,
): void {
  write.add(
    write.db
      .updateTable('acceptances')
      .set({ project_id: uuidOf(toProjectId) })
      .where('workspace_id', '=', write.workspaceId)
      .where(isOneOf('risk_id', riskIds.map(uuidOf))),
  )
}

/** Inserts acceptances of an import. */
export const insertAcceptances = (read: Read, acceptances: readonly StoredAcceptance[]) =>
  insertAll(
    read,
    'acceptances',
    acceptances.map((each) => ({
      risk_id: uuidOf(each.risk_id),
      accepted_at: each.accepted_at,
      project_id: uuidOf(each.project_id),
      ref: each.ref,
      title: each.title,
      accepted_by_user_id: uuidOf(each.accepted_by_user_id),
      expires_on: each.expires_on,
      rationale: each.rationale,
      appetite: each.risk_appetite,
      likelihood: each.likelihood,
      impact: each.impact,
      status: each.status,
      ended_at: each.ended_at,
      end_reason: each.end_reason,
    })),
  )
