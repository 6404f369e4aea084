import {
  type EventType,
  type HistoryEntry,
  initialOf,
  isLive,
  liveRiskStatuses,
  type NewRisk,
  type Operations,
  patchNames,
  type QueryOf,
  Risk,
  riskFields,
  type RiskPatch,
  riskStatuses,
  scale,
  type Scale,
} from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import {
  type Changed,
  invalidTransition,
  isSame,
  mergedMetadata,
  applyPatch,
  refuseStale,
  save,
  type SaveInput,
} from '#domain/engine/change'
import { Failure } from '#domain/engine/failure'
import { type HistoryQuery, listHistory } from '#domain/engine/history'
import { type Listing, listingOf } from '#domain/engine/listing'
import { refuseOverQuota } from '#domain/engine/quota'
import {
  type LockedPeople,
  shareLockPeopleById,
  refuseUnassignable,
} from '#domain/roster/assignable'
import { flagsOfRisk } from '#domain/rules/flags'
import { score } from '#domain/rules/score'
import { sortOrder } from '#domain/rules/sort'
import { projectRisksList } from '#storage/nouns/project-items'
import { type StoredProject, updateReferenceNumbers } from '#storage/nouns/projects'
import { lockRisks, selectRisk, type StoredRisk, upsertRisk } from '#storage/nouns/risks'
import type { Read, Write } from '#storage/statements/access'
import type { OpenedItem } from '#storage/statements/view'
import { timeOf } from '#storage/values/id'

import { reserveExternalId } from './external-ids.ts'
import { datesOfNewItem } from './imported-dates.ts'
import { type ItemPath, openItem, openProject } from './open-project.ts'
import { type AsOfQuery, selectItemAt } from './past-items.ts'
import { findProject, shareLockForItems, lockProject, refuseArchived } from './projects.ts'
import { parseTarget, mergeRating, parseRating } from './rating.ts'
import { presentRisk, presentRiskAt } from './risk-levels.ts'

export type ProjectRisksQuery = QueryOf<Operations['risks']['list_in_project']>

/** Lists the risks of one project, including occurred and closed ones. */
export function listProjectRisks(
  caller: Caller<'projects.read'>,
  projectId: string,
  { status, sort }: ProjectRisksQuery,
): Listing<Risk> {
  const project = openProject(caller, projectId, 'read')
  const filter = { project, statuses: status ?? riskStatuses }
  const order = sortOrder(sort)
  return listingOf(caller, {
    counter: null,
    list: projectRisksList(filter, order),
    context: (snapshot) => findProject(snapshot, project),
    present: (risks) => risks.map(presentRisk),
  })
}

export function viewRisk(
  caller: Caller<'projects.read'>,
  at: ItemPath,
  { as_of }: AsOfQuery,
): Promise<Risk> {
  const { database } = caller
  if (as_of === undefined) {
    return database.read(caller, async (read) => presentRisk(await findRisk(read, caller, at)))
  }
  return database.snapshot(caller, async (snapshot) => {
    const found = await selectItemAt(caller, snapshot, { noun: 'risk', path: at, as_of })
    if (found === null) throw riskNotFound(at)
    return presentRiskAt(found.state, found.seq)
  })
}

async function findRisk(
  read: Read,
  caller: Caller<'projects.read'>,
  at: ItemPath,
): Promise<StoredRisk> {
  const risk = await selectRisk(read, openItem(caller, at, 'read'))
  if (risk === null) throw riskNotFound(at)
  return risk
}

const riskNotFound = ({ id, projectId }: ItemPath) =>
  new Failure('not_found', `There is no risk ${id} in the project ${projectId}.`)

export function listRiskHistory(
  caller: Caller<'projects.read'>,
  at: ItemPath,
  query: HistoryQuery,
): Listing<HistoryEntry> {
  return listHistory(caller, {
    ...query,
    id: at.id,
    shape: Risk,
    refuseMissing: (snapshot) => findRisk(snapshot, caller, at),
  })
}

export function addRisk(
  caller: Caller<'projects.manage'>,
  projectId: string,
  input: NewRisk,
): Promise<Risk> {
  return caller.database.write(caller, async (write) => {
    const people = await shareLockPeopleById(write, [input.owner_user_id])
    const opened = openProject(caller, projectId, 'manage')
    const { project, risk_number } = await lockProject(write, opened)
    refuseArchived(project)
    const risk = buildRisk(input, { write, project, people, number: risk_number + 1 })
    if (isLive(risk.status)) await refuseOverQuota(write, 'live_risks')
    await reserveExternalId(write, 'risks', { before: null, after: risk })
    updateReferenceNumbers(write, opened, { risk_number: risk_number + 1 })
    return presentRisk(saveNewRisk(write, risk, Object.keys(input)))
  })
}

/** Locked rows that a risk change depends on. They cannot change before the write ends. */
export interface RiskContext {
  readonly write: Write
  readonly project: StoredProject
  readonly people: LockedPeople
}

export function buildRisk(input: NewRisk, context: RiskContext & { number: number }): StoredRisk {
  const { write, project, people, number } = context
  refuseUnassignable(people, input.owner_user_id, '/owner_user_id')
  if (input.response === 'accept') throw acceptNotAllowed('undecided')
  const dates = datesOfNewItem(input, write, 'identified_at')
  const id = newRiskId(write, dates.startedAt)
  return deriveRiskFields(
    {
      ...initialOf(riskFields),
      ...input,
      inherent: parseRating(input.inherent ?? null, '/inherent'),
      target: parseTarget(input.target ?? null),
      id,
      ref: `${project.code}-R${number}`,
      project_id: project.id,
      score: score(input.likelihood, input.impact),
      identified_at: timeOf(id),
      last_reviewed_at: dates.lastReviewedAt,
      acceptance: null,
      previous_score: null,
      score_changed_at: null,
      issue_ids: [],
      flags: [],
      occurred_at: null,
      ...dates.closing,
      version: 0,
      created_at: write.now,
      updated_at: write.now,
    },
    context,
  )
}

/** Rankings break ties by id, so the id has the time at which the risk was identified. */
const newRiskId = (write: Write, identifiedAt: string | null) =>
  identifiedAt === null ? write.newId('rsk') : write.newIdAt('rsk', identifiedAt)

export function saveNewRisk(write: Write, risk: StoredRisk, changed: string[]): StoredRisk {
  upsertRisk(write, null, risk)
  const { id, project_id: project } = risk
  write.record({ type: 'risk.created', subject: id, project, changed })
  return risk
}

const writable = patchNames(riskFields)

const reviewAdvice = 'Use POST …/review'
const occurAdvice = 'Use POST …/occur'
const closeAdvice = 'Use POST …/close or …/reopen'
/** For a read-only field of a risk: the operation that sets it. */
export const riskAdvice = {
  likelihood: reviewAdvice,
  impact: reviewAdvice,
  score: reviewAdvice,
  level: reviewAdvice,
  identified_at: 'It is the time in the id, and only a new risk can state it',
  last_reviewed_at: reviewAdvice,
  acceptance: 'Use POST …/accept',
  issue_ids: occurAdvice,
  occurred_at: occurAdvice,
  closed_at: closeAdvice,
  close_reason: closeAdvice,
  close_note: closeAdvice,
}

export function updateRisk(
  caller: Caller<'projects.manage'>,
  at: ItemPath,
  patch: RiskPatch,
): Promise<Risk> {
  return changeRisk(caller, at, {
    type: 'risk.updated',
    people: [patch.owner_user_id],
    change: async (risk, { write, people }) => {
      const { inherent, target, metadata, ...rest } = patch
      const merged = {
        ...rest,
        ...(inherent !== undefined && {
          inherent: inherent && mergeRating(risk.inherent, inherent),
        }),
        ...(target !== undefined && { target: target && mergeRating(risk.target, target) }),
        ...(metadata && { metadata: mergedMetadata(risk.metadata, metadata) }),
      }
      const fields = applyRiskPatch(risk, merged, people)
      await reserveExternalId(write, 'risks', { before: risk, after: { ...risk, ...fields } })
      return fields
    },
  })
}

/** Applies a patch whose nested objects are already merged with the current ones. */
export function applyRiskPatch(
  risk: StoredRisk,
  { inherent, target, metadata, ...rest }: Readonly<Record<string, unknown>>,
  people: LockedPeople,
): Partial<StoredRisk> {
  const fields = applyPatch(presentRisk(risk), rest, { writable, advice: riskAdvice })
  refuseStatusChange(risk, fields)
  if (fields.owner_user_id !== risk.owner_user_id) {
    refuseUnassignable(people, fields.owner_user_id, '/owner_user_id')
  }
  const isAcceptanceWithdrawn = fields.response !== undefined && fields.response !== 'accept'
  // The casts hold because the request was validated against the contract.
  return {
    ...fields,
    ...(inherent !== undefined && { inherent: parseRating(inherent, '/inherent') }),
    ...(target !== undefined && { target: parseTarget(target) }),
    ...(metadata !== undefined && { metadata: metadata as Record<string, string> }),
    ...(isAcceptanceWithdrawn && { acceptance: null }),
  }
}

function refuseStatusChange(risk: StoredRisk, { status, response }: Partial<Risk>): void {
  if (response === 'accept' && risk.response !== 'accept') throw acceptNotAllowed(risk.response)
  if (status === undefined || status === risk.status) return
  if (isLive(risk.status) && isLive(status)) return
  const allowed = isLive(risk.status) ? liveRiskStatuses : []
  const between = liveRiskStatuses.join(', ')
  const hint = 'Else use POST …/close, …/occur or …/reopen.'
  const detail = `PATCH changes the status between ${between}. ${hint}`
  throw invalidTransition(detail, { from: risk.status, to: status, allowed })
}

const acceptNotAllowed = (from: string) =>
  invalidTransition('To accept a risk, use POST …/accept: it names the accepting person.', {
    from,
    to: 'accept',
    allowed: ['undecided', 'avoid', 'reduce', 'transfer'],
  })

interface RiskChange {
  readonly type: EventType
  /** User ids that the change may assign work to. */
  readonly people?: readonly (string | null | undefined)[]
  readonly note?: string | null
  readonly change: (risk: StoredRisk, context: RiskContext) => Changed<StoredRisk>
}

/** Updates an existing risk and records the event. Writes nothing for a no-op. */
export function changeRisk(
  caller: Caller<'projects.manage'>,
  at: ItemPath,
  { type, people: userIds = [], note = null, change }: RiskChange,
): Promise<Risk> {
  return caller.database.write(caller, async (write) => {
    const people = await shareLockPeopleById(write, userIds)
    const opened = openProject(caller, at.projectId, 'manage')
    const project = await shareLockForItems(write, opened)
    const before = await lockRisk(caller, write, { project: opened, id: at.id })
    refuseArchived(project)
    const context = { write, project, people }
    const changed = { ...before, ...(await change(before, context)) }
    if (isSame(before, changed)) return presentRisk(before)
    return presentRisk(
      saveRisk(write, { before, after: deriveRiskFields(changed, context), type, note }),
    )
  })
}

export async function lockRisk(
  caller: Caller<never>,
  write: Write,
  { project, id }: OpenedItem<'manage'>,
) {
  const [risk] = await lockRisks(write, [project], [id])
  if (risk === undefined) throw riskNotFound({ projectId: project.id, id })
  refuseStale(caller, risk)
  return risk
}

/** Recomputes score, previous score, tags and flags. */
export function deriveRiskFields(
  risk: StoredRisk,
  { write, project }: Pick<RiskContext, 'write' | 'project'>,
) {
  const product = score(risk.likelihood, risk.impact)
  const rescored =
    product === risk.score
      ? {}
      : { score: product, previous_score: risk.score, score_changed_at: write.now }
  const merged = { ...risk, ...rescored, tags: [...new Set(risk.tags)].toSorted() }
  const appetite = project.risk_appetite
  return { ...merged, flags: flagsOfRisk(merged, { today: write.today, appetite }) }
}

export const saveRisk = (write: Write, saving: SaveInput<StoredRisk>) =>
  save(write, saving, upsertRisk)

/** Returns the rating scale for the risks and issues of all projects. */
export async function viewScale(): Promise<Scale> {
  const { likelihood, impact, levels } = scale
  return { likelihood: [...likelihood], impact: [...impact], levels: [...levels] }
}
