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

import type { Caller } from '#domain/auth/caller'
import { isSame } from '#domain/engine/change'
import { Failure, type InvalidField, invalid } from '#domain/engine/failure'
import { refuseOverQuota } from '#domain/engine/quota'
import { shareLockPeopleById, refuseUnassignable } from '#domain/people/assignable'
import { level, score } from '#domain/rules/score'
import { TimeSlice } from '#storage/engine/turn'
import { lockIssues, type StoredIssue } from '#storage/nouns/issues'
import { updateReferenceNumbers } from '#storage/nouns/projects'
import { lockRisks, type StoredRisk } from '#storage/nouns/risks'

import {
  buildIssue,
  applyIssuePatch,
  presentIssue,
  saveIssue,
  saveNewIssue,
  deriveIssueFields,
} from './issues.ts'
import { lockProject, refuseArchived } from './projects.ts'
import {
  buildRisk,
  applyRiskPatch,
  presentRisk,
  saveNewRisk,
  saveRisk,
  type RiskContext,
  deriveRiskFields,
} from './risks.ts'

/** The items of a batch, in the order of its rows. */
export interface BatchResult<T> {
  readonly data: T[]
  readonly count: number
  readonly created: number
  readonly changed: number
}

interface Row {
  readonly id?: string
}

/** How a batch creates and changes items of one type. `S` is the stored item. */
interface RowOperations<R extends Row, S extends { id: string }> {
  readonly required: readonly (keyof R & string)[]
  /** Selects the items with these ids and locks them until the write ends. */
  readonly lock: (ids: readonly string[]) => Promise<S[]>
  readonly create: (row: R, ordinal: number) => S
  /** Returns `before` itself when the row changes nothing. */
  readonly change: (before: S, row: R) => S
}

/**
 * Applies all rows or none. Every row is validated, and one failure reports the errors of all rows,
 * each with its JSON pointer.
 */
export async function applyRows<R extends Row, S extends { id: string }>(
  rows: readonly R[],
  { required, lock, create, change }: RowOperations<R, S>,
) {
  const ids = rows.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const existing = new Map((await lock([...new Set(ids)])).map((item) => [item.id, item]))
  const fieldErrors: InvalidField[] = []
  const data: S[] = []
  let [created, changed] = [0, 0]
  const seen = new Set<string>()
  const slice = new TimeSlice()
  for (const [index, row] of rows.entries()) {
    await slice.step()
    try {
      if (row.id === undefined) {
        refuseMissingFields(row, required)
        created += 1
        data.push(create(row, created))
        continue
      }
      const before = existing.get(row.id)
      if (before === undefined)
        throw rowError('/id', 'not_found', 'is not the id of an existing item')
      if (seen.has(row.id)) throw rowError('/id', 'repeated', 'appears in more than one row')
      seen.add(row.id)
      const after = change(before, row)
      if (after !== before) changed += 1
      data.push(after)
    } catch (error) {
      fieldErrors.push(...rowErrorsOf(error, `/data/${index}`))
    }
  }
  if (fieldErrors.length > 0) throw invalid(...fieldErrors)
  return { data, created, changed }
}

/** Checks every row, and reports the errors of all of them in one failure. */
export function refuseRows<R>(rows: readonly R[], pointer: string, check: (row: R) => void): void {
  const fieldErrors = rows.flatMap((row, index) => {
    try {
      check(row)
      return []
    } catch (error) {
      return rowErrorsOf(error, `${pointer}/${index}`)
    }
  })
  if (fieldErrors.length > 0) throw invalid(...fieldErrors)
}

const rowError = (pointer: string, code: string, detail: string) =>
  invalid({ pointer, code, detail })

function refuseMissingFields<R extends object>(
  row: R,
  required: readonly (keyof R & string)[],
): void {
  const missing = required.filter((name) => row[name] === undefined)
  if (missing.length === 0) return
  throw invalid(
    ...missing.map((name) => ({ pointer: `/${name}`, code: 'required', detail: 'is required' })),
  )
}

/** Converts the failure of a row to field errors whose pointers start with the row. */
function rowErrorsOf(error: unknown, rowPointer: string): InvalidField[] {
  if (!(error instanceof Failure)) throw error
  const { problem, message, extras } = error
  // The cast holds because only `invalid` creates this problem.
  const errors = problem === 'validation_failed' ? (extras['errors'] as InvalidField[]) : null
  if (errors)
    return errors.map((fieldError) => ({
      ...fieldError,
      pointer: `${rowPointer}${fieldError.pointer}`,
    }))
  const pointer = typeof extras['pointer'] === 'string' ? extras['pointer'] : ''
  const detail = message.replace(/\.$/, '').slice(0, 500)
  return [{ pointer: `${rowPointer}${pointer}`, code: problem, detail }]
}

/** Creates and updates risks of a project in one write. */
export function batchRisks(
  caller: Caller<'projects.manage'>,
  projectId: string,
  rows: readonly RiskRow[],
): Promise<BatchResult<Risk>> {
  return caller.database.write(caller, async (write) => {
    const people = await shareLockPeopleById(write, ownerIdsOf(rows))
    const { project, risk_number } = await lockProject(write, projectId)
    refuseArchived(project)
    const context = { write, project, people }
    const { data, ...counts } = await applyRows<RiskRow, StoredRisk>(rows, {
      required: ['title', 'likelihood', 'impact'],
      lock: (ids) => lockRisks(write, projectId, ids),
      create: (row, ordinal) => {
        const input = toNewRisk(row)
        const risk = buildRisk(input, { ...context, number: risk_number + ordinal })
        return saveNewRisk(write, risk, Object.keys(input))
      },
      change: (before, row) => updateFromRow(before, row, context),
    })
    await refuseOverQuota(write, 'live_risks', counts.created)
    if (counts.created > 0) {
      updateReferenceNumbers(write, projectId, { risk_number: risk_number + counts.created })
    }
    return { data: data.map(presentRisk), count: data.length, ...counts }
  })
}

const ownerIdsOf = (rows: readonly RiskRow[]) => rows.map(({ owner_user_id }) => owner_user_id)

function toNewRisk(row: RiskRow): NewRisk {
  const { status = 'identified' } = row
  if (!isLive(status)) {
    throw rowError('/status', 'not_allowed', 'must be identified, treating or monitoring')
  }
  return pickProperties(row, NewRisk) as NewRisk
}

/**
 * Keeps the properties of a row that its schema has: an export also contains computed fields. The
 * caller has checked the required ones.
 */
export function pickProperties(row: object, { properties }: { properties: object }): object {
  const entries = Object.entries(row).filter(
    ([name, value]) => name in properties && value !== undefined,
  )
  return Object.fromEntries(entries)
}

/** A new likelihood or impact counts as a review. */
function updateFromRow(before: StoredRisk, row: RiskRow, context: RiskContext): StoredRisk {
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
  rows: readonly IssueRow[],
): Promise<BatchResult<Issue>> {
  return caller.database.write(caller, async (write) => {
    const people = await shareLockPeopleById(
      write,
      rows.map(({ assignee_user_id }) => assignee_user_id),
    )
    const { project, issue_number } = await lockProject(write, projectId)
    refuseArchived(project)
    const { data, ...counts } = await applyRows<IssueRow, StoredIssue>(rows, {
      required: ['title', 'severity'],
      lock: (ids) => lockIssues(write, projectId, ids),
      create: (row, ordinal) => {
        const input = toNewIssue(row)
        refuseUnassignable(people, input.assignee_user_id, '/assignee_user_id')
        const issue = buildIssue(input, { write, project, number: issue_number + ordinal })
        return saveNewIssue(write, issue, Object.keys(input))
      },
      change: (before, row) => {
        const changed = { ...before, ...applyIssuePatch(before, row, people) }
        if (isSame(before, changed)) return before
        const after = deriveIssueFields(changed, write)
        return saveIssue(write, { before, after, type: 'issue.updated' })
      },
    })
    await refuseOverQuota(write, 'open_issues', counts.created)
    if (counts.created > 0) {
      updateReferenceNumbers(write, projectId, { issue_number: issue_number + counts.created })
    }
    return { data: data.map(presentIssue), count: data.length, ...counts }
  })
}

function toNewIssue(row: IssueRow): NewIssue {
  const { status = 'open' } = row
  if (!isOpen(status))
    throw rowError('/status', 'not_allowed', 'must be open, in_progress or blocked')
  return pickProperties(row, NewIssue) as NewIssue
}
