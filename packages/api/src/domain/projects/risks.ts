import {
  type HistoryEntry,
  liveRiskStatuses,
  type NewRisk,
  Risk,
  type RiskPatch,
  riskStatuses,
  scale,
  type Scale,
} from '@muster/contract'

import { type HeldPeople, holdAll, refuseUnassignable } from '#domain/assignable'
import type { Caller } from '#domain/caller'
import {
  type Changed,
  impossible,
  isSame,
  mergedMetadata,
  patched,
  refuseStale,
  save,
  type Saving,
} from '#domain/change'
import { Failure } from '#domain/failure'
import { flagsOfRisk, isLive } from '#domain/flags'
import { listHistory } from '#domain/history'
import { listing, type Listing } from '#domain/listing'
import { findProject, holdForItems, lockProject, refuseArchived } from '#domain/projects'
import { refuseOverQuota } from '#domain/quota'
import { aimed, mergedRating, rated } from '#domain/rating'
import { level, score } from '#domain/score'
import { sortOrder } from '#domain/sort'
import type { Read, Write } from '#storage/database'
import { countProjectRisks, selectProjectRisks } from '#storage/project-items'
import { type InProject, type StoredProject, updateNumbers } from '#storage/projects'
import { lockRisks, selectRisk, type StoredRisk, storeRisk } from '#storage/risks'

// The cast holds because only flags of the contract are ever set.
export const presentRisk = (risk: StoredRisk): Risk => ({
  ...risk,
  flags: risk.flags as Risk['flags'],
  level: level(risk.score),
})

export interface ProjectRisksQuery {
  readonly status?: readonly Risk['status'][]
  readonly sort?: string
}

/** The risks of one project, also those that are off the register. */
export function listProjectRisks(
  caller: Caller<'projects.read'>,
  projectId: string,
  { status, sort }: ProjectRisksQuery,
): Listing<Risk> {
  const filter = { projectId, statuses: status ?? riskStatuses }
  const order = sortOrder(sort)
  return listing(caller, {
    counter: null,
    count: (snapshot, max) => countProjectRisks(snapshot, filter, max),
    select: async (snapshot, page) => {
      await findProject(snapshot, projectId)
      const { items, next } = await selectProjectRisks(snapshot, { filter, order, page })
      return { items: items.map(presentRisk), next }
    },
  })
}

export function viewRisk(caller: Caller<'projects.read'>, at: InProject): Promise<Risk> {
  return caller.database.read(caller, async (read) => presentRisk(await findRisk(read, at)))
}

async function findRisk(read: Read, at: InProject): Promise<StoredRisk> {
  const risk = await selectRisk(read, at)
  if (risk === null) throw noRisk(at)
  return risk
}

const noRisk = ({ id, projectId }: InProject) =>
  new Failure('not_found', `There is no risk ${id} in the project ${projectId}.`)

export function listRiskHistory(
  caller: Caller<'projects.read'>,
  at: InProject,
): Listing<HistoryEntry> {
  return listHistory(caller, {
    id: at.id,
    shape: Risk,
    refuseMissing: (snapshot) => findRisk(snapshot, at),
  })
}

export function addRisk(
  caller: Caller<'projects.manage'>,
  projectId: string,
  input: NewRisk,
): Promise<Risk> {
  return caller.database.write(caller, async (write) => {
    const people = await holdAll(write, [input.owner_user_id])
    const { project, risk_number } = await lockProject(write, projectId)
    refuseArchived(project)
    await refuseOverQuota(write, 'live_risks')
    const risk = newRisk(input, { write, project, people, number: risk_number + 1 })
    updateNumbers(write, projectId, { risk_number: risk_number + 1 })
    return presentRisk(saveNewRisk(write, risk, Object.keys(input)))
  })
}

/** What a change of a risk is decided on, none of which can change before the write ends. */
export interface Held {
  readonly write: Write
  readonly project: StoredProject
  readonly people: HeldPeople
}

export function newRisk(input: NewRisk, held: Held & { number: number }): StoredRisk {
  const { write, project, people, number } = held
  refuseUnassignable(people, input.owner_user_id, '/owner_user_id')
  if (input.response === 'accept') throw acceptInstead('undecided')
  return settled(
    {
      description: null,
      category: 'other',
      status: 'identified',
      response: 'undecided',
      owner_user_id: null,
      review_on: null,
      metadata: {},
      ...input,
      inherent: rated(input.inherent ?? null, '/inherent'),
      target: aimed(input.target ?? null),
      id: write.newId('rsk'),
      ref: `${project.code}-R${number}`,
      project_id: project.id,
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
      tags: input.tags ?? [],
      version: 0,
      created_at: write.now,
      updated_at: write.now,
    },
    held,
  )
}

export function saveNewRisk(write: Write, risk: StoredRisk, changed: string[]): StoredRisk {
  storeRisk(write, null, risk)
  const { id, project_id: project } = risk
  write.record({ type: 'risk.created', subject: id, project, changed })
  return risk
}

const writable = [
  'title',
  'description',
  'category',
  'status',
  'response',
  'owner_user_id',
  'review_on',
  'tags',
] as const

const byReview = 'To rate it anew, POST …/review'
const byClosing = 'It follows from POST …/close and …/reopen'
const advice = {
  likelihood: byReview,
  impact: byReview,
  score: byReview,
  level: byReview,
  last_reviewed_at: byReview,
  acceptance: 'It follows from POST …/accept',
  issue_ids: 'It follows from POST …/occur',
  closed_at: byClosing,
  close_reason: byClosing,
  close_note: byClosing,
}

export function updateRisk(
  caller: Caller<'projects.manage'>,
  at: InProject,
  patch: RiskPatch,
): Promise<Risk> {
  return changeRisk(caller, at, {
    type: 'risk.updated',
    people: [patch.owner_user_id],
    change: (risk, { people }) => {
      const { inherent, target, metadata, ...rest } = patch
      const whole = {
        ...rest,
        ...(inherent !== undefined && {
          inherent: inherent && mergedRating(risk.inherent, inherent),
        }),
        ...(target !== undefined && { target: target && mergedRating(risk.target, target) }),
        ...(metadata && { metadata: mergedMetadata(risk.metadata, metadata) }),
      }
      return patchOfRisk(risk, whole, people)
    },
  })
}

/** What a patch makes of a risk. Objects within it have been made whole. */
export function patchOfRisk(
  risk: StoredRisk,
  { inherent, target, metadata, ...rest }: Readonly<Record<string, unknown>>,
  people: HeldPeople,
): Partial<StoredRisk> {
  const fields = patched(presentRisk(risk), rest, { writable, advice })
  refuseMove(risk, fields)
  if (fields.owner_user_id !== risk.owner_user_id) {
    refuseUnassignable(people, fields.owner_user_id, '/owner_user_id')
  }
  const isLetGo = fields.response !== undefined && fields.response !== 'accept'
  // The casts hold because the contract has checked what was given.
  return {
    ...fields,
    ...(inherent !== undefined && { inherent: rated(inherent, '/inherent') }),
    ...(target !== undefined && { target: aimed(target) }),
    ...(metadata !== undefined && { metadata: metadata as Record<string, string> }),
    ...(isLetGo && { acceptance: null }),
  }
}

function refuseMove(risk: StoredRisk, { status, response }: Partial<Risk>): void {
  if (response === 'accept' && risk.response !== 'accept') throw acceptInstead(risk.response)
  if (status === undefined || status === risk.status) return
  if (isLive(risk.status) && isLive(status)) return
  const allowed = isLive(risk.status) ? liveRiskStatuses : []
  const detail = `PATCH moves between ${liveRiskStatuses.join(', ')}. For others POST …/close, …/occur or …/reopen.`
  throw impossible(detail, { from: risk.status, to: status, allowed })
}

const acceptInstead = (from: string) =>
  impossible('To accept a risk, POST …/accept: someone must answer for it.', {
    from,
    to: 'accept',
    allowed: ['undecided', 'avoid', 'reduce', 'transfer'],
  })

interface Change {
  readonly type: string
  /** Whom the change may give work to. */
  readonly people?: readonly (string | null | undefined)[]
  readonly note?: string | null
  readonly change: (risk: StoredRisk, held: Held) => Changed<StoredRisk>
}

/** Changes one risk that is there, and tells it. */
export function changeRisk(
  caller: Caller<'projects.manage'>,
  at: InProject,
  { type, people: userIds = [], note = null, change }: Change,
): Promise<Risk> {
  return caller.database.write(caller, async (write) => {
    const people = await holdAll(write, userIds)
    const project = await holdForItems(write, at.projectId)
    const before = await lockRisk(caller, write, at)
    refuseArchived(project)
    const held = { write, project, people }
    const wanted = { ...before, ...(await change(before, held)) }
    if (isSame(before, wanted)) return presentRisk(before)
    return presentRisk(saveRisk(write, { before, after: settled(wanted, held), type, note }))
  })
}

export async function lockRisk(caller: Caller<never>, write: Write, at: InProject) {
  const [risk] = await lockRisks(write, at.projectId, [at.id])
  if (risk === undefined) throw noRisk(at)
  refuseStale(caller, risk)
  return risk
}

/** A risk with what follows from the rest of it. */
export function settled(risk: StoredRisk, { write, project }: Pick<Held, 'write' | 'project'>) {
  const product = score(risk.likelihood, risk.impact)
  const rescored =
    product === risk.score
      ? {}
      : { score: product, previous_score: risk.score, score_changed_at: write.now }
  const whole = { ...risk, ...rescored, tags: [...new Set(risk.tags)].toSorted() }
  const appetite = project.risk_appetite
  return { ...whole, flags: flagsOfRisk(whole, { today: write.today, appetite }) }
}

export const saveRisk = (write: Write, saving: Saving<StoredRisk>) => save(write, saving, storeRisk)

/** The scale that risks and issues of all projects are rated on. */
export async function viewScale(): Promise<Scale> {
  const { likelihood, impact, levels } = scale
  return { likelihood: [...likelihood], impact: [...impact], levels: [...levels] }
}
