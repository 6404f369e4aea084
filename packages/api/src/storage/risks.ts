import { type Selectable, sql } from 'kysely'

import type { Read, Write } from './database.ts'
import { fold } from './fold.ts'
import { encodeId, encodeOptional, uuidOf, uuidOfOptional } from './id.ts'
import {
  contains,
  countRows,
  found,
  isOneOf,
  type Lane,
  laneColumn,
  lanesOf,
  nil,
  type Page,
  type Range,
  rowsFor,
} from './keyset.ts'
import type { DB } from './tables.ts'

export interface RegisterFilter {
  readonly projectIds: readonly string[] | null
  /** Null among the owners is nobody. */
  readonly ownerIds: readonly (string | null)[] | null
  /** The stretches of `rank_key` that are asked for. */
  readonly ranks: readonly Range[]
  readonly q: string | null
}

const columns = [
  'id',
  'ref',
  'project_id',
  'title',
  'description',
  'category',
  'status',
  'response',
  'likelihood',
  'impact',
  'score',
  'rank_key',
  'inherent_likelihood',
  'inherent_impact',
  'target_likelihood',
  'target_impact',
  'target_due_on',
  'owner_user_id',
  'review_on',
  'last_reviewed_at',
  'accepted_by_user_id',
  'accepted_at',
  'acceptance_expires_on',
  'acceptance_rationale',
  'previous_score',
  'score_changed_at',
  'issue_ids',
  'flags',
  'closed_at',
  'close_reason',
  'close_note',
  'tags',
  'metadata',
  'version',
  'created_at',
  'updated_at',
] as const satisfies (keyof DB['risks'])[]

/** Worst first: `rank_key` folds score and impact into one ascending number; then oldest first. */
const rank = ['rank_key', 'id'] as const

/** The live risks of all projects that the filter leaves, ranked. */
export async function selectRegister(read: Read, filter: RegisterFilter, page: Page) {
  const rows = await liveRisks(read, filter, page)
    .select(columns.map((column) => `risk.${column}` as const))
    .execute()
  return found(rows, { limit: page.limit, columns: rank, present: presentRisk })
}

/** How many there are, counted no further than `max` + 1. */
export function countRegister(read: Read, filter: RegisterFilter, max: number) {
  return countRows(read, liveRisks(read, filter, { after: null, limit: max }).select('risk.id'))
}

function liveRisks(read: Read, filter: RegisterFilter, page: Page) {
  const { projectIds, ownerIds, ranks: ranges, q } = filter
  const projects = projectIds?.map(uuidOf) ?? null
  const owners = ownerIds?.map((id) => uuidOfOptional(id) ?? nil) ?? null
  const lanes = lanesOf(projects ?? owners ?? [null], { ranges, after: page.after, origin: [nil] })
  const isKey = projects ? sql<boolean>`project_id = lane.key` : sql<boolean>`owner_key = lane.key`
  return read.db
    .selectFrom(lanesTable(lanes))
    .innerJoinLateral(
      (lane) =>
        lane
          .selectFrom('risks')
          .select(columns.map((column) => `risks.${column}` as const))
          .where('workspace_id', '=', read.workspaceId)
          .where((eb) => eb.ref('is_live'))
          .where(sql<boolean>`(rank_key, risks.id) > (lane.rank, lane.id)`)
          .whereRef('rank_key', '<=', 'lane.high')
          .$if(projects !== null || owners !== null, (query) => query.where(isKey))
          .$if(projects !== null && owners !== null, (query) =>
            query.where(isOneOf('owner_key', owners ?? [])),
          )
          .$if(q !== null, (query) => query.where(contains(q ?? '')))
          .orderBy('rank_key')
          .orderBy('risks.id')
          .limit(rowsFor(page))
          .as('risk'),
      (join) => join.onTrue(),
    )
    .orderBy('risk.rank_key')
    .orderBy('risk.id')
    .limit(rowsFor(page))
}

function lanesTable(lanes: readonly Lane[]) {
  const keys = lanes.map(({ key }) => key)
  const highs = lanes.map(({ high }) => high)
  const [ranks, ids] = [laneColumn(lanes, 0), laneColumn(lanes, 1)]
  return sql<{ key: string; rank: number; id: string; high: number }>`unnest(
    ${keys}::uuid[], ${ranks}::smallint[], ${ids}::uuid[], ${highs}::smallint[]
  )`.as<'lane'>(sql`lane(key, rank, id, high)`)
}

type Row = Pick<Selectable<DB['risks']>, (typeof columns)[number]>
export type StoredRisk = ReturnType<typeof presentRisk>

function presentRisk(row: Row) {
  const { likelihood, impact, score } = row
  return {
    id: encodeId('rsk', row.id),
    ref: row.ref,
    project_id: encodeId('prj', row.project_id),
    title: row.title,
    description: row.description,
    category: row.category,
    status: row.status,
    response: row.response,
    likelihood,
    impact,
    score,
    inherent: rated(row.inherent_likelihood, row.inherent_impact),
    target: presentTarget(row),
    owner_user_id: encodeOptional('usr', row.owner_user_id),
    review_on: row.review_on,
    last_reviewed_at: row.last_reviewed_at,
    acceptance: presentAcceptance(row),
    previous_score: row.previous_score,
    score_changed_at: row.score_changed_at,
    issue_ids: row.issue_ids.map((id) => encodeId('iss', id)),
    flags: row.flags,
    closed_at: row.closed_at,
    close_reason: row.close_reason,
    close_note: row.close_note,
    tags: row.tags,
    metadata: row.metadata,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

function rated(likelihood: number | null, impact: number | null) {
  if (likelihood === null || impact === null) return null
  return { likelihood, impact, score: likelihood * impact }
}

function presentTarget(row: Row) {
  const target = rated(row.target_likelihood, row.target_impact)
  return target && { ...target, due_on: row.target_due_on }
}

function presentAcceptance(row: Row) {
  const by = row.accepted_by_user_id
  const { accepted_at, acceptance_expires_on: expires_on, acceptance_rationale: rationale } = row
  if (by === null || accepted_at === null || expires_on === null || rationale === null) return null
  return { accepted_by_user_id: encodeId('usr', by), accepted_at, expires_on, rationale }
}

/** The risk as it is now, held until the write ends. */
export async function lockRisk(write: Write, id: string): Promise<StoredRisk | null> {
  const row = await write.db
    .selectFrom('risks')
    .select(columns)
    .where('workspace_id', '=', write.workspaceId)
    .where('id', '=', uuidOf(id))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ? presentRisk(row) : null
}

export function insertRisk(write: Write, risk: StoredRisk): void {
  write.add(
    write.db.insertInto('risks').values({
      workspace_id: write.workspaceId,
      id: uuidOf(risk.id),
      project_id: uuidOf(risk.project_id),
      ref: risk.ref,
      created_at: risk.created_at,
      ...changing(write, risk),
    }),
  )
  consequences(write, risk, { isNew: true })
}

export function updateRisk(write: Write, risk: StoredRisk): void {
  write.add(
    write.db
      .updateTable('risks')
      .set(changing(write, risk))
      .where('workspace_id', '=', write.workspaceId)
      .where('id', '=', uuidOf(risk.id)),
  )
  consequences(write, risk, { isNew: false })
}

function consequences(write: Write, risk: StoredRisk, { isNew }: { isNew: boolean }): void {
  write.touch('risks')
  write.keep({ noun: 'risk', id: risk.id, data: risk, isNew })
}

/** Everything of a risk that a write can change. */
function changing(write: Write, risk: StoredRisk) {
  return {
    title: risk.title,
    search_text: fold(`${risk.ref} ${risk.title}`),
    description: risk.description,
    category: risk.category,
    status: risk.status,
    response: risk.response,
    likelihood: risk.likelihood,
    impact: risk.impact,
    ...aims(risk),
    owner_user_id: uuidOfOptional(risk.owner_user_id),
    review_on: risk.review_on,
    last_reviewed_at: risk.last_reviewed_at,
    ...acceptance(risk),
    previous_score: risk.previous_score,
    score_changed_at: risk.score_changed_at,
    issue_ids: risk.issue_ids.map(uuidOf),
    flags: risk.flags,
    closed_at: risk.closed_at,
    close_reason: risk.close_reason,
    close_note: risk.close_note,
    tags: risk.tags,
    metadata: risk.metadata,
    version: write.version,
    updated_at: risk.updated_at,
  }
}

const aims = ({ inherent, target }: StoredRisk) => ({
  inherent_likelihood: inherent?.likelihood ?? null,
  inherent_impact: inherent?.impact ?? null,
  target_likelihood: target?.likelihood ?? null,
  target_impact: target?.impact ?? null,
  target_due_on: target?.due_on ?? null,
})

const acceptance = ({ acceptance: accepted }: StoredRisk) => ({
  accepted_by_user_id: uuidOfOptional(accepted?.accepted_by_user_id ?? null),
  accepted_at: accepted?.accepted_at ?? null,
  acceptance_expires_on: accepted?.expires_on ?? null,
  acceptance_rationale: accepted?.rationale ?? null,
})
