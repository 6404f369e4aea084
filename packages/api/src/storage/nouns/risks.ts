import { isAccepted, isLive, rankKey } from '@muster/contract'
import type { Selectable } from 'kysely'

import { writeDerived, indexRowsAt } from '#storage/derived/consequences'
import { summaryCountsOf } from '#storage/derived/summary-counts'
import type { Read, RowWrite, Write } from '#storage/engine/access'
import { presentLinks } from '#storage/engine/evidence-links'
import { encodeId, encodeOptional, uuidOf, uuidOfOptional } from '#storage/engine/id'
import type { DB } from '#storage/engine/tables'
import { fold } from '#storage/lists/fold'
import { isOneOf } from '#storage/lists/keyset'

import type { InProject } from './projects.ts'

export const riskColumns = [
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
  'is_accepted',
  'occurred_at',
  'closed_at',
  'close_reason',
  'close_note',
  'tags',
  'links',
  'metadata',
  'version',
  'created_at',
  'updated_at',
] as const satisfies (keyof DB['risks'])[]

export type SelectedRisk = Pick<Selectable<DB['risks']>, (typeof riskColumns)[number]>
export type StoredRisk = ReturnType<typeof presentRisk>

export function presentRisk(row: SelectedRisk) {
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
    inherent: presentRating(row.inherent_likelihood, row.inherent_impact),
    target: presentTarget(row),
    owner_user_id: encodeOptional('usr', row.owner_user_id),
    review_on: row.review_on,
    last_reviewed_at: row.last_reviewed_at,
    acceptance: presentAcceptance(row),
    previous_score: row.previous_score,
    score_changed_at: row.score_changed_at,
    issue_ids: row.issue_ids.map((id) => encodeId('iss', id)),
    flags: row.flags,
    occurred_at: row.occurred_at,
    closed_at: row.closed_at,
    close_reason: row.close_reason,
    close_note: row.close_note,
    tags: row.tags,
    links: presentLinks(row.links),
    metadata: row.metadata,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

function presentRating(likelihood: number | null, impact: number | null) {
  if (likelihood === null || impact === null) return null
  return { likelihood, impact, score: likelihood * impact }
}

function presentTarget(row: SelectedRisk) {
  const target = presentRating(row.target_likelihood, row.target_impact)
  return target && { ...target, due_on: row.target_due_on }
}

function presentAcceptance(row: SelectedRisk) {
  const by = row.accepted_by_user_id
  const { accepted_at, acceptance_expires_on: expires_on, acceptance_rationale: rationale } = row
  if (by === null || accepted_at === null || expires_on === null || rationale === null) return null
  return { accepted_by_user_id: encodeId('usr', by), accepted_at, expires_on, rationale }
}

export async function selectRisk(read: Read, { projectId, id }: InProject) {
  const row = await read.db
    .selectFrom('risks')
    .select(riskColumns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))
    .where('project_id', '=', uuidOf(projectId))
    .executeTakeFirst()
  return row ? presentRisk(row) : null
}

/** Locks rows until the write ends, in id order to avoid deadlocks. */
const lockQuery = ({ db, workspaceId }: Write) =>
  db
    .selectFrom('risks')
    .select(riskColumns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .forNoKeyUpdate()

/** Locks risks of a project by id. */
export async function lockRisks(write: Write, projectId: string, ids: readonly string[]) {
  const rows = await lockQuery(write)
    .where('project_id', '=', uuidOf(projectId))
    .where(isOneOf('id', ids.map(uuidOf)))
    .execute()
  return rows.map(presentRisk)
}

/** Locks at most `limit` live risks of a project. */
export async function lockLiveRisks(write: Write, projectId: string, limit: number) {
  const rows = await lockQuery(write)
    .where('project_id', '=', uuidOf(projectId))
    .where((eb) => eb.ref('is_live'))
    .limit(limit)
    .execute()
  return rows.map(presentRisk)
}

/** Locks those of the risks that are live and owned by this person. */
export async function lockRisksOwnedBy(write: Write, ownerId: string, ids: readonly string[]) {
  const rows = await lockQuery(write)
    .where(isOneOf('id', ids.map(uuidOf)))
    .where('owner_user_id', '=', uuidOf(ownerId))
    .where((eb) => eb.ref('is_live'))
    .execute()
  return rows.map(presentRisk)
}

/** Writes a risk and its derived rows. `before` is null for a new one. */
export function upsertRisk(write: RowWrite, before: StoredRisk | null, after: StoredRisk): void {
  const row = { id: uuidOf(after.id), ...mutableColumns(after) }
  if (before === null) {
    write.insert('risks', { ...row, ref: after.ref, created_at: after.created_at })
  } else write.update('risks', row)
  const [was, is] = [before && derivedRowsOf(before), derivedRowsOf(after)]
  writeDerived(write, { noun: 'risk', table: 'risk_index_rows', before, after, was, is })
}

/** Index rows and summary counts of a live risk. A cell is likelihood and impact, as `45`. */
function derivedRowsOf(risk: StoredRisk) {
  if (!isLive(risk.status)) return null
  return {
    indexRows: indexRowsAt(risk, { rank_key: rankKey(risk), id: uuidOf(risk.id) }),
    counts: summaryCountsOf('risk', uuidOf(risk.project_id), {
      current: cell(risk),
      inherent: risk.inherent && cell(risk.inherent),
      target: risk.target && cell(risk.target),
      status: risk.status,
      owner: uuidOfOptional(risk.owner_user_id) ?? 'none',
      flag: risk.flags,
      above_appetite: appetiteOf(risk),
    }),
  }
}

/** Null for a risk within the appetite. */
function appetiteOf(risk: StoredRisk): string | null {
  if (!risk.flags.includes('above_appetite')) return null
  return isAccepted(risk) ? 'accepted' : 'not_accepted'
}

const cell = ({ likelihood, impact }: { likelihood: number; impact: number }) =>
  `${likelihood}${impact}`

/** The columns that an update can change. */
function mutableColumns(risk: StoredRisk) {
  return {
    project_id: uuidOf(risk.project_id),
    title: risk.title,
    search_text: fold(`${risk.ref} ${risk.title}`),
    description: risk.description,
    category: risk.category,
    status: risk.status,
    response: risk.response,
    likelihood: risk.likelihood,
    impact: risk.impact,
    ...ratingColumns(risk),
    owner_user_id: uuidOfOptional(risk.owner_user_id),
    review_on: risk.review_on,
    last_reviewed_at: risk.last_reviewed_at,
    ...acceptanceColumns(risk),
    previous_score: risk.previous_score,
    score_changed_at: risk.score_changed_at,
    issue_ids: risk.issue_ids.map(uuidOf),
    flags: risk.flags,
    occurred_at: risk.occurred_at,
    closed_at: risk.closed_at,
    close_reason: risk.close_reason,
    close_note: risk.close_note,
    tags: risk.tags,
    links: risk.links,
    metadata: risk.metadata,
    updated_at: risk.updated_at,
  }
}

const ratingColumns = ({ inherent, target }: StoredRisk) => ({
  inherent_likelihood: inherent?.likelihood ?? null,
  inherent_impact: inherent?.impact ?? null,
  target_likelihood: target?.likelihood ?? null,
  target_impact: target?.impact ?? null,
  target_due_on: target?.due_on ?? null,
})

const acceptanceColumns = ({ acceptance: accepted }: StoredRisk) => ({
  accepted_by_user_id: uuidOfOptional(accepted?.accepted_by_user_id ?? null),
  accepted_at: accepted?.accepted_at ?? null,
  acceptance_expires_on: accepted?.expires_on ?? null,
  acceptance_rationale: accepted?.rationale ?? null,
})
