import { isAccepted, isLive, rankKey, type Risk, riskFields } from '@muster/contract'
import type { Selectable } from 'kysely'

import { writeAcceptances } from '#storage/derived/acceptances'
import { writeDerived, indexRowsAt } from '#storage/derived/derived-rows'
import { summaryCountsOf } from '#storage/derived/summary-counts'
import type { DB } from '#storage/schema/tables'
import type { Read, RowWrite, Write } from '#storage/statements/access'
import { isOneOf } from '#storage/statements/keyset'
import type { OpenedItem, OpenedProject } from '#storage/statements/view'
import { fold } from '#storage/values/fold'
import { encodeId, timeOfUuid, uuidOf, uuidOfOptional } from '#storage/values/id'

import { linksForm } from './links-form.ts'
import { storedFields } from './stored-fields.ts'

type Row = Selectable<DB['risks']>

/** A risk as its row has it: the level follows from the score. */
export type StoredRisk = Omit<Risk, 'level' | 'acceptance'> & {
  acceptance: StoredAcceptance | null
}
type StoredAcceptance = Omit<NonNullable<Risk['acceptance']>, 'level'>

const { level: _level, ...fields } = riskFields

const stored = storedFields<'risks', StoredRisk, 'search_text'>(fields, {
  also: ['rank_key', 'is_accepted'],
  fixed: ['ref', 'created_at'],
  computed: ['score', 'version'],
  forms: {
    inherent: {
      columns: ['inherent_likelihood', 'inherent_impact'],
      present: (row) => presentRating(row.inherent_likelihood, row.inherent_impact),
      store: (inherent) => ({
        inherent_likelihood: inherent?.likelihood ?? null,
        inherent_impact: inherent?.impact ?? null,
      }),
    },
    target: {
      columns: ['target_likelihood', 'target_impact', 'target_due_on'],
      present: presentTarget,
      store: (target) => ({
        target_likelihood: target?.likelihood ?? null,
        target_impact: target?.impact ?? null,
        target_due_on: target?.due_on ?? null,
      }),
    },
    // Its time is that of the id, by which rankings break ties.
    identified_at: { columns: ['id'], present: ({ id }) => timeOfUuid(id) },
    acceptance: {
      columns: [
        'accepted_by_user_id',
        'accepted_at',
        'acceptance_expires_on',
        'acceptance_rationale',
        'acceptance_appetite',
        'acceptance_likelihood',
        'acceptance_impact',
        'acceptance_rated_at',
      ],
      present: presentAcceptance,
      store: acceptanceColumns,
    },
    links: linksForm,
  },
})

export const { columns: riskColumns, present: presentRisk } = stored

interface Rating {
  readonly likelihood: number
  readonly impact: number
}

function presentRating(likelihood: number | null, impact: number | null) {
  if (likelihood === null || impact === null) return null
  return { likelihood, impact, score: likelihood * impact }
}

function presentTarget(row: Row) {
  const target = presentRating(row.target_likelihood, row.target_impact)
  return target && { ...target, due_on: row.target_due_on }
}

function presentAcceptance(row: Row): StoredAcceptance | null {
  const by = row.accepted_by_user_id
  const { accepted_at, acceptance_expires_on: expires_on, acceptance_rationale: rationale } = row
  if (by === null || accepted_at === null || expires_on === null || rationale === null) return null
  // The previous release leaves the rating of an earlier acceptance.
  const isRated = row.acceptance_rated_at === accepted_at
  const rated = isRated ? presentRating(row.acceptance_likelihood, row.acceptance_impact) : null
  return {
    accepted_by_user_id: encodeId('usr', by),
    accepted_at,
    expires_on,
    rationale,
    risk_appetite: rated && row.acceptance_appetite,
    ...(rated ?? unknownRating),
  }
}

const unknownRating = { likelihood: null, impact: null, score: null }

export async function selectRisk(read: Read, { project, id }: OpenedItem) {
  const row = await read.db
    .selectFrom('risks')
    .select(riskColumns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))
    .where('project_id', '=', project.uuid)
    .executeTakeFirst()
  return row ? presentRisk(row) : null
}

/** Locks rows until the write ends, in id order to avoid deadlocks. */
const lockQuery = ({ db, workspaceId }: Read) =>
  db
    .selectFrom('risks')
    .select(riskColumns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .forNoKeyUpdate()

/** Locks risks of these projects by id. */
export async function lockRisks(
  write: Write,
  projects: readonly OpenedProject<'manage'>[],
  ids: readonly string[],
) {
  const rows = await lockQuery(write)
    .where(
      isOneOf(
        'project_id',
        projects.map(({ uuid }) => uuid),
      ),
    )
    .where(isOneOf('id', ids.map(uuidOf)))
    .execute()
  return rows.map(presentRisk)
}

/** Locks at most `limit` live risks of a project. */
export async function lockLiveRisks(write: Write, project: OpenedProject<'manage'>, limit: number) {
  const rows = await lockQuery(write)
    .where('project_id', '=', project.uuid)
    .where((eb) => eb.ref('is_live'))
    .limit(limit)
    .execute()
  return rows.map(presentRisk)
}

/** Locks those of the risks that are live and owned by this person. */
export async function lockRisksOwnedBy(read: Read, ownerId: string, ids: readonly string[]) {
  const rows = await lockQuery(read)
    .where(isOneOf('id', ids.map(uuidOf)))
    .where('owner_user_id', '=', uuidOf(ownerId))
    .where((eb) => eb.ref('is_live'))
    .execute()
  return rows.map(presentRisk).filter(({ project_id }) => read.view.shows(project_id))
}

/**
 * Writes a risk and its derived rows. `before` is null for a new one, which has no acceptance, and
 * for one of an import, which has a file of acceptances.
 */
export function upsertRisk(write: RowWrite, before: StoredRisk | null, after: StoredRisk): void {
  const keys = { search_text: fold(`${after.ref} ${after.title}`) }
  if (before === null) write.insert('risks', stored.newRow(after, keys))
  else write.update('risks', stored.changedRow(after, keys))
  const [was, is] = [before && derivedRowsOf(before), derivedRowsOf(after)]
  writeDerived(write, { noun: 'risk', table: 'risk_index_rows', before, after, was, is })
  if (before !== null) writeAcceptances(write, before, after)
}

/** Index rows and summary counts of a live risk. A cell is likelihood and impact, as `45`. */
function derivedRowsOf(risk: StoredRisk) {
  if (!isLive(risk.status)) return null
  return {
    indexRows: indexRowsAt(risk, { rank_key: rankKey(risk), id: uuidOf(risk.id) }),
    counts: countsOfRisk(risk),
  }
}

/** What the summary counts a live risk under. */
export const countsOfRisk = (risk: StoredRisk) =>
  summaryCountsOf('risk', uuidOf(risk.project_id), {
    current: cell(risk),
    inherent: risk.inherent && cell(risk.inherent),
    target: risk.target && cell(risk.target),
    status: risk.status,
    owner: uuidOfOptional(risk.owner_user_id) ?? 'none',
    flag: risk.flags,
    above_appetite: appetiteOf(risk),
  })

/** Null for a risk within the appetite. */
function appetiteOf(risk: StoredRisk): string | null {
  if (!risk.flags.includes('above_appetite')) return null
  return isAccepted(risk) ? 'accepted' : 'not_accepted'
}

const cell = ({ likelihood, impact }: Rating) => `${likelihood}${impact}`

function acceptanceColumns(acceptance: StoredAcceptance | null) {
  const accepted: Partial<StoredAcceptance> = acceptance ?? {}
  const { accepted_at = null, likelihood = null } = accepted
  return {
    accepted_by_user_id: uuidOfOptional(accepted.accepted_by_user_id ?? null),
    accepted_at,
    acceptance_expires_on: accepted.expires_on ?? null,
    acceptance_rationale: accepted.rationale ?? null,
    acceptance_appetite: accepted.risk_appetite ?? null,
    acceptance_likelihood: likelihood,
    acceptance_impact: accepted.impact ?? null,
    acceptance_rated_at: likelihood === null ? null : accepted_at,
  }
}
