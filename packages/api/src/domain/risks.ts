import {
  type Level,
  type liveRiskStatuses,
  type RegisterEntry,
  type Risk,
  scale,
  type Scale,
} from '@muster/contract'

import { refuseUnassignable } from '#domain/assignable'
import type { Caller } from '#domain/caller'
import { Failure } from '#domain/failure'
import { listing, type Listing } from '#domain/listing'
import { projectNames } from '#domain/project-names'
import { takeRef } from '#domain/projects'
import { refuseOverQuota } from '#domain/quota'
import { level, ranksWhere, score } from '#domain/score'
import {
  countRegister,
  insertRisk,
  lockRisk,
  selectRegister,
  type StoredRisk,
  updateRisk,
} from '#storage/risks'

export interface RegisterQuery {
  readonly project_id?: readonly string[]
  /** An id, or `none`. */
  readonly owner_user_id?: readonly string[]
  readonly level?: readonly Level[]
  readonly score_min?: number
  readonly q?: string
}

/** The live risks of all projects, worst first. A query can only narrow it. */
export function listRegister(
  caller: Caller<'projects.read'>,
  query: RegisterQuery,
): Listing<RegisterEntry> {
  const { project_id, owner_user_id, level: levels, score_min, q } = query
  const filter = {
    projectIds: project_id ?? null,
    ownerIds: owner_user_id?.map((id) => (id === 'none' ? null : id)) ?? null,
    ranks: ranksWhere(levels, score_min),
    q: q ?? null,
  }
  const isFiltered = [project_id, owner_user_id, levels, score_min, q].some(
    (value) => value !== undefined,
  )
  return listing(caller, {
    collection: 'risks',
    counter: isFiltered ? null : 'live_risks',
    count: (snapshot, max) => countRegister(snapshot, filter, max),
    select: async (snapshot, page) => {
      const [{ items, next }, nameOf] = await Promise.all([
        selectRegister(snapshot, filter, page),
        projectNames(caller.database, snapshot),
      ])
      const entries = items.map((risk) => ({
        ...presentRisk(risk),
        project: nameOf(risk.project_id),
      }))
      return { items: entries, next }
    },
  })
}

const presentRisk = (risk: StoredRisk): Risk => ({ ...risk, level: level(risk.score) })

export type NewRisk = Pick<Risk, 'title' | 'likelihood' | 'impact'> &
  Partial<
    Pick<
      Risk,
      | 'description'
      | 'category'
      | 'response'
      | 'inherent'
      | 'target'
      | 'owner_user_id'
      | 'review_on'
      | 'tags'
    >
  > & { readonly status?: (typeof liveRiskStatuses)[number] }

export function addRisk(
  caller: Caller<'projects.manage'>,
  projectId: string,
  input: NewRisk,
): Promise<Risk> {
  return caller.database.write(caller, async (write) => {
    refuseOverQuota(write, 'live_risks')
    await refuseUnassignable(write, input.owner_user_id ?? null)
    const ref = await takeRef(write, projectId, 'R')
    const risk = {
      description: null,
      category: 'other',
      status: 'identified',
      response: 'undecided',
      inherent: null,
      target: null,
      owner_user_id: null,
      review_on: null,
      ...input,
      id: write.newId('rsk'),
      ref,
      project_id: projectId,
      score: score(input.likelihood, input.impact),
      last_reviewed_at: null,
      acceptance: null,
      previous_score: null,
      score_changed_at: null,
      issue_ids: [],
      flags: [],
      closed_at: null,
      close_reason: null,
      close_note: null,
      tags: input.tags?.toSorted() ?? [],
      metadata: {},
      version: 0,
      created_at: write.now,
      updated_at: write.now,
    } satisfies StoredRisk
    insertRisk(write, risk)
    write.count('live_risks', 1)
    write.record({ type: 'risk.created', subject: risk.id, project: projectId })
    return presentRisk(risk)
  })
}

/** Takes a risk off the register. Closing it again changes nothing. */
export function closeRisk(
  caller: Caller<'projects.manage'>,
  id: string,
  { reason, note }: { reason: NonNullable<Risk['close_reason']>; note: string | null },
): Promise<Risk> {
  return caller.database.write(caller, async (write) => {
    const risk = await lockRisk(write, id)
    if (risk === null) throw new Failure('not_found', `There is no risk ${id}.`)
    if (risk.status === 'closed') return presentRisk(risk)
    const closed: StoredRisk = {
      ...risk,
      status: 'closed',
      closed_at: write.now,
      close_reason: reason,
      close_note: note,
      version: 0,
      updated_at: write.now,
    }
    updateRisk(write, closed)
    if (risk.status !== 'occurred') write.count('live_risks', -1)
    write.record({ type: 'risk.closed', subject: id, project: risk.project_id })
    return presentRisk(closed)
  })
}

/** The scale that risks and issues of all projects are rated on. */
export async function viewScale(): Promise<Scale> {
  const { likelihood, impact, levels } = scale
  return { likelihood: [...likelihood], impact: [...impact], levels: [...levels] }
}
