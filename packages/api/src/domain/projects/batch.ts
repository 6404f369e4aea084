import {
  isLive,
  isOpen,
  type Issue,
  type IssueRow,
  NewIssue,
  NewRisk,
  type Risk,
  type RiskRow,
} from '@muster/contract'

import { refuseWithoutScope } from '#domain/auth/rights'
import {
  applyRows,
  type BatchResult,
  type BatchRows,
  byId,
  changedRow,
  idsIn,
  rowError,
} from '#domain/engine/batch'
import type { Caller } from '#domain/engine/caller'
import { isSame } from '#domain/engine/change'
import { matchRows } from '#domain/engine/matches'
import { pickProperties, readOnlyErrors, refuseErrors } from '#domain/engine/new-rows'
import { refuseOverQuota } from '#domain/engine/quota'
import { shareLockPeopleById, refuseUnassignable } from '#domain/roster/assignable'
import { References } from '#domain/roster/references'
import { level, score } from '#domain/rules/score'
import { selectItemIdsBy } from '#storage/nouns/external-ids'
import { lockIssues, type StoredIssue } from '#storage/nouns/issues'
import { updateReferenceNumbers } from '#storage/nouns/projects'
import { lockRisks, type StoredRisk } from '#storage/nouns/risks'
import type { Write } from '#storage/statements/access'

import { ExternalIds } from './external-ids.ts'
import {
  buildIssue,
  applyIssuePatch,
  saveIssue,
  saveNewIssue,
  deriveIssueFields,
  issueAdvice,
  type IssueContext,
} from './issues.ts'
import { openProject } from './open-project.ts'
import { lockProject, refuseArchived } from './projects.ts'
import {
  buildRisk,
  applyRiskPatch,
  presentRisk,
  saveNewRisk,
  saveRisk,
  type RiskContext,
  deriveRiskFields,
  riskAdvice,
} from './risks.ts'

/** Whether a name is known discloses who is on the roster. */
function refuseNames<R extends object>(
  caller: Caller<never>,
  rows: readonly R[],
  names: readonly (keyof R & string)[],
): void {
  for (const name of names) {
    if (rows.some((row) => row[name] !== undefined))
      refuseWithoutScope(caller, 'personnel.read', name)
  }
}

interface Place {
  readonly table: 'risks' | 'issues'
  readonly projectId: string
}

/** The lock on the project keeps the external ids of its items as they are found. */
const matchItems = <R extends { readonly id?: string }>(
  write: Write,
  batch: BatchRows<R>,
  { table, projectId }: Place,
) =>
  matchRows(batch, {
    find: (keys) =>
      selectItemIdsBy(write, {
        table,
        column: batch.match === 'ref' ? 'ref' : 'external_id',
        projectId,
        values: keys,
      }),
  })

/** Creates and updates risks of a project in one write. */
export function batchRisks(
  caller: Caller<'projects.manage'>,
  projectId: string,
  batch: BatchRows<RiskRow>,
): Promise<BatchResult<Risk>> {
  return caller.database.write(caller, async (write) => {
    refuseNames(caller, batch.data, ['owner_email', 'owner_external_id'])
    const references = await References.find(write, { stem: 'owner', rows: batch.data })
    const people = await shareLockPeopleById(write, references.userIdsIn(batch.data))
    references.refuseMoved(people)
    const opened = openProject(caller, projectId, 'manage')
    const { project, risk_number } = await lockProject(write, opened)
    refuseArchived(project)
    const matched = await matchItems(write, batch, { table: 'risks', projectId })
    const stored = byId(await lockRisks(write, opened, idsIn(matched)))
    const storedIn = ({ id = '' }) => stored.get(id)?.owner_user_id
    const rows = await references.resolve(write, matched, storedIn)
    const externalIds = await ExternalIds.find(write, 'risks', batch.data)
    const context = { write, project, people, externalIds }
    const { data, ...counts } = await applyRows<RiskRow, StoredRisk, 'changed'>(rows, {
      write,
      required: ['title', 'likelihood', 'impact'],
      existing: stored,
      outcomeFor: changedRow,
      create: (row, ordinal) => {
        const risk = buildRiskFromRow(row, { ...context, number: risk_number + ordinal })
        externalIds.reserve(risk)
        return saveNewRisk(write, risk, Object.keys(pickProperties(row, NewRisk)))
      },
      change: (before, row) => updateFromRow(before, row, context),
    })
    await refuseOverQuota(write, 'live_risks', counts.created)
    if (counts.created > 0) {
      updateReferenceNumbers(write, opened, { risk_number: risk_number + counts.created })
    }
    return { data: data.map(presentRisk), ...counts }
  })
}

function buildRiskFromRow(row: RiskRow, context: RiskContext & { number: number }): StoredRisk {
  // The cast holds because `applyRows` has checked the required fields.
  const risk = buildRisk(pickProperties(row, NewRisk) as NewRisk, context)
  const { now } = context.write
  const created = { schema: NewRisk, record: presentRisk(risk), advice: riskAdvice, now }
  const detail = 'must be identified, treating or monitoring'
  refuseErrors([
    ...(isLive(risk.status) ? [] : [{ pointer: '/status', code: 'not_allowed', detail }]),
    ...readOnlyErrors(row, created),
  ])
  return risk
}

type BatchContext = RiskContext & { readonly externalIds: ExternalIds }

/** A new likelihood or impact counts as a review. */
function updateFromRow(before: StoredRisk, row: RiskRow, context: BatchContext): StoredRisk {
  const { likelihood = before.likelihood, impact = before.impact, ...others } = row
  const isRescored = likelihood !== before.likelihood || impact !== before.impact
  if (isRescored && !isLive(before.status)) {
    throw rowError(
      '/likelihood',
      'invalid_transition',
      `cannot be changed, because the risk is ${before.status}`,
    )
  }
  const rest = omitCurrentScores(others, before, score(likelihood, impact))
  const rating = isRescored ? { likelihood, impact, last_reviewed_at: context.write.now } : {}
  const changed = { ...before, ...applyRiskPatch(before, rest, context.people), ...rating }
  if (isSame(before, changed)) return before
  context.externalIds.reserve(changed)
  const type = isRescored ? 'risk.reviewed' : 'risk.updated'
  return saveRisk(context.write, { before, after: deriveRiskFields(changed, context), type })
}

/** Drops a score or level that is the previous or the new one: an export contains both fields. */
function omitCurrentScores(row: RiskRow, before: StoredRisk, product: number): RiskRow {
  const { score: rowScore, level: rowLevel, inherent, target, ...rest } = row
  const isScoreEdited = rowScore !== undefined && rowScore !== before.score && rowScore !== product
  const isLevelEdited =
    rowLevel !== undefined && rowLevel !== level(before.score) && rowLevel !== level(product)
  return {
    ...rest,
    ...(isScoreEdited && { score: rowScore }),
    ...(isLevelEdited && { level: rowLevel }),
    ...(inherent !== undefined && {
      inherent: inherent && omitCurrentScore(inherent, before.inherent),
    }),
    ...(target !== undefined && { target: target && omitCurrentScore(target, before.target) }),
  }
}

function omitCurrentScore<T extends { score?: number }>(
  rating: T,
  before: { score: number } | null,
): T {
  if (rating.score !== before?.score) return rating
  const { score: _, ...rest } = rating
  return rest as T
}

/** Creates and updates issues of a project in one write. */
export function batchIssues(
  caller: Caller<'projects.manage'>,
  projectId: string,
  batch: BatchRows<IssueRow>,
): Promise<BatchResult<Issue>> {
  return caller.database.write(caller, async (write) => {
    refuseNames(caller, batch.data, ['assignee_email', 'assignee_external_id'])
    const references = await References.find(write, { stem: 'assignee', rows: batch.data })
    const people = await shareLockPeopleById(write, references.userIdsIn(batch.data))
    references.refuseMoved(people)
    const opened = openProject(caller, projectId, 'manage')
    const { project, issue_number } = await lockProject(write, opened)
    refuseArchived(project)
    const matched = await matchItems(write, batch, { table: 'issues', projectId })
    const stored = byId(await lockIssues(write, opened, idsIn(matched)))
    const storedIn = ({ id = '' }) => stored.get(id)?.assignee_user_id
    const rows = await references.resolve(write, matched, storedIn)
    const externalIds = await ExternalIds.find(write, 'issues', batch.data)
    const { data, ...counts } = await applyRows<IssueRow, StoredIssue, 'changed'>(rows, {
      write,
      required: ['title', 'severity'],
      existing: stored,
      outcomeFor: changedRow,
      create: (row, ordinal) => {
        refuseUnassignable(people, row.assignee_user_id, '/assignee_user_id')
        const number = issue_number + ordinal
        const issue = buildIssueFromRow(row, { write, project, number })
        externalIds.reserve(issue)
        return saveNewIssue(write, issue, Object.keys(pickProperties(row, NewIssue)))
      },
      change: (before, row) => {
        const changed = { ...before, ...applyIssuePatch(before, row, people) }
        if (isSame(before, changed)) return before
        externalIds.reserve(changed)
        const after = deriveIssueFields(changed, write)
        return saveIssue(write, { before, after, type: 'issue.updated' })
      },
    })
    await refuseOverQuota(write, 'open_issues', counts.created)
    if (counts.created > 0) {
      updateReferenceNumbers(write, opened, { issue_number: issue_number + counts.created })
    }
    return { data, ...counts }
  })
}

function buildIssueFromRow(row: IssueRow, context: IssueContext): StoredIssue {
  // The cast holds because `applyRows` has checked the required fields.
  const issue = buildIssue(pickProperties(row, NewIssue) as NewIssue, context)
  const { now } = context.write
  const created = { schema: NewIssue, record: issue, advice: issueAdvice, now }
  const detail = 'must be open, in_progress or blocked'
  refuseErrors([
    ...(isOpen(issue.status) ? [] : [{ pointer: '/status', code: 'not_allowed', detail }]),
    ...readOnlyErrors(row, created),
  ])
  return issue
}
