import {
  type Issue,
  type IssueRow,
  limits,
  NewIssue,
  NewRisk,
  type Risk,
  type RiskRow,
} from '@muster/contract'

import { type HeldPeople, holdAll, refuseUnassignable } from '#domain/assignable'
import type { Caller } from '#domain/caller'
import { isSame } from '#domain/change'
import { Failure, type Flaw, invalid } from '#domain/failure'
import { isLive, isOpen } from '#domain/flags'
import {
  newIssue,
  patchOfIssue,
  presentIssue,
  saveIssue,
  saveNewIssue,
  settled as settledIssue,
} from '#domain/issues'
import { lockProject, refuseArchived } from '#domain/projects'
import { refuseOverQuota } from '#domain/quota'
import {
  newRisk,
  patchOfRisk,
  presentRisk,
  saveNewRisk,
  saveRisk,
  settled as settledRisk,
} from '#domain/risks'
import { level, score } from '#domain/score'
import type { Write } from '#storage/database'
import { lockIssues, type StoredIssue } from '#storage/issues'
import { type StoredProject, updateNumbers } from '#storage/projects'
import { lockRisks, type StoredRisk } from '#storage/risks'

/** What became of the rows of a batch, in their order. */
export interface BatchResult<T> {
  readonly data: T[]
  readonly count: number
  readonly created: number
  readonly changed: number
}

interface Row {
  readonly id?: string
}

/** How the rows of one kind of thing are taken. `S` is the thing as it is stored. */
interface Taking<R extends Row, S extends { id: string }> {
  readonly required: readonly (keyof R & string)[]
  /** What is there of these ids, held until the write ends. */
  readonly lock: (ids: readonly string[]) => Promise<S[]>
  readonly create: (row: R, ordinal: number) => S
  /** The same object when the row changes nothing. */
  readonly change: (before: S, row: R) => S
}

/**
 * All rows or none: every row is tried, and what is wrong with any of them is told together, each
 * with its place.
 */
export async function takeRows<R extends Row, S extends { id: string }>(
  rows: readonly R[],
  { required, lock, create, change }: Taking<R, S>,
) {
  const ids = rows.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const there = new Map((await lock([...new Set(ids)])).map((item) => [item.id, item]))
  const flaws: Flaw[] = []
  const data: S[] = []
  let [created, changed] = [0, 0]
  const seen = new Set<string>()
  for (const [index, row] of rows.entries()) {
    try {
      if (row.id === undefined) {
        refuseMissing(row, required)
        created += 1
        data.push(create(row, created))
        continue
      }
      const before = there.get(row.id)
      if (before === undefined) throw flawed('/id', 'not_found', 'is not the id of one of these')
      if (seen.has(row.id)) throw flawed('/id', 'repeated', 'is in the rows twice')
      seen.add(row.id)
      const after = change(before, row)
      if (after !== before) changed += 1
      data.push(after)
    } catch (error) {
      flaws.push(...flawsOf(error, `/data/${index}`))
    }
  }
  if (flaws.length > 0) throw invalid(...flaws.slice(0, limits.errorsMax))
  return { data, created, changed }
}

const flawed = (pointer: string, code: string, detail: string) => invalid({ pointer, code, detail })

function refuseMissing<R extends object>(row: R, required: readonly (keyof R & string)[]): void {
  const missing = required.filter((name) => row[name] === undefined)
  if (missing.length === 0) return
  throw invalid(
    ...missing.map((name) => ({ pointer: `/${name}`, code: 'required', detail: 'is required' })),
  )
}

/** What a row was refused for, with the place of the row before it. */
function flawsOf(error: unknown, place: string): Flaw[] {
  if (!(error instanceof Failure)) throw error
  const { problem, message, extras } = error
  // The cast holds because `invalid` is the only one to fail a validation.
  const errors = problem === 'validation_failed' ? (extras['errors'] as Flaw[]) : null
  if (errors) return errors.map((flaw) => ({ ...flaw, pointer: `${place}${flaw.pointer}` }))
  const pointer = typeof extras['pointer'] === 'string' ? extras['pointer'] : ''
  const detail = message.replace(/\.$/, '').slice(0, 500)
  return [{ pointer: `${place}${pointer}`, code: problem, detail }]
}

/** Enters and changes many risks of a project, as one numbered step. */
export function batchRisks(
  caller: Caller<'projects.manage'>,
  projectId: string,
  rows: readonly RiskRow[],
): Promise<BatchResult<Risk>> {
  return caller.database.write(caller, async (write) => {
    const people = await holdAll(write, ownersOf(rows))
    const { project, risk_number } = await lockProject(write, projectId)
    refuseArchived(project)
    const held = { write, project, people }
    const { data, ...counts } = await takeRows<RiskRow, StoredRisk>(rows, {
      required: ['title', 'likelihood', 'impact'],
      lock: (ids) => lockRisks(write, projectId, ids),
      create: (row, ordinal) => {
        const input = newRiskOf(row)
        const risk = newRisk(input, { ...held, number: risk_number + ordinal })
        return saveNewRisk(write, risk, Object.keys(input))
      },
      change: (before, row) => changeByRow(before, row, held),
    })
    await refuseOverQuota(write, 'live_risks', counts.created)
    if (counts.created > 0) {
      updateNumbers(write, projectId, { risk_number: risk_number + counts.created })
    }
    return { data: data.map(presentRisk), count: data.length, ...counts }
  })
}

const ownersOf = (rows: readonly RiskRow[]) => rows.map(({ owner_user_id }) => owner_user_id)

function newRiskOf(row: RiskRow): NewRisk {
  const { status = 'identified' } = row
  if (!isLive(status)) {
    throw flawed('/status', 'not_allowed', 'must be identified, treating or monitoring')
  }
  return givenOf(row, NewRisk) as NewRisk
}

/**
 * Of a new row only what can be given is taken: the rest of an export is computed anew. What is
 * required has been found to be there.
 */
export function givenOf(row: object, { properties }: { properties: object }): object {
  const given = Object.entries(row).filter(
    ([name, value]) => name in properties && value !== undefined,
  )
  return Object.fromEntries(given)
}

interface HeldRows {
  readonly write: Write
  readonly project: StoredProject
  readonly people: HeldPeople
}

/** Another likelihood or impact is a review: that is how a risk is rated anew. */
function changeByRow(before: StoredRisk, row: RiskRow, held: HeldRows): StoredRisk {
  const { likelihood = before.likelihood, impact = before.impact, ...others } = row
  const isRescored = likelihood !== before.likelihood || impact !== before.impact
  if (isRescored && !isLive(before.status)) {
    throw flawed('/likelihood', 'invalid_transition', `cannot change: the risk is ${before.status}`)
  }
  const rest = withoutProducts(others, before, score(likelihood, impact))
  const rated = isRescored ? { likelihood, impact, last_reviewed_at: held.write.now } : {}
  const wanted = { ...before, ...patchOfRisk(before, rest, held.people), ...rated }
  if (isSame(before, wanted)) return before
  const type = isRescored ? 'risk.reviewed' : 'risk.updated'
  return saveRisk(held.write, { before, after: settledRisk(wanted, held), type })
}

/** A score that still stands beside ratings that were edited is no wish; nor is the right one. */
function withoutProducts(row: RiskRow, before: StoredRisk, product: number): RiskRow {
  const { score: given, level: named, inherent, target, ...rest } = row
  const isEdited = given !== undefined && given !== before.score && given !== product
  const isRenamed = named !== undefined && named !== level(before.score) && named !== level(product)
  return {
    ...rest,
    ...(isEdited && { score: given }),
    ...(isRenamed && { level: named }),
    ...(inherent !== undefined && { inherent: inherent && unscored(inherent, before.inherent) }),
    ...(target !== undefined && { target: target && unscored(target, before.target) }),
  }
}

function unscored<T extends { score?: number }>(rating: T, before: { score: number } | null): T {
  if (rating.score !== before?.score) return rating
  const { score: _, ...rest } = rating
  return rest as T
}

/** Opens and changes many issues of a project, as one numbered step. */
export function batchIssues(
  caller: Caller<'projects.manage'>,
  projectId: string,
  rows: readonly IssueRow[],
): Promise<BatchResult<Issue>> {
  return caller.database.write(caller, async (write) => {
    const people = await holdAll(
      write,
      rows.map(({ assignee_user_id }) => assignee_user_id),
    )
    const { project, issue_number } = await lockProject(write, projectId)
    refuseArchived(project)
    const { data, ...counts } = await takeRows<IssueRow, StoredIssue>(rows, {
      required: ['title', 'severity'],
      lock: (ids) => lockIssues(write, projectId, ids),
      create: (row, ordinal) => {
        const input = newIssueOf(row)
        refuseUnassignable(people, input.assignee_user_id, '/assignee_user_id')
        const issue = newIssue(input, { write, project, number: issue_number + ordinal })
        return saveNewIssue(write, issue, Object.keys(input))
      },
      change: (before, row) => {
        const wanted = { ...before, ...patchOfIssue(before, row, people) }
        if (isSame(before, wanted)) return before
        const after = settledIssue(wanted, write)
        return saveIssue(write, { before, after, type: 'issue.updated' })
      },
    })
    await refuseOverQuota(write, 'open_issues', counts.created)
    if (counts.created > 0) {
      updateNumbers(write, projectId, { issue_number: issue_number + counts.created })
    }
    return { data: data.map(presentIssue), count: data.length, ...counts }
  })
}

function newIssueOf(row: IssueRow): NewIssue {
  const { status = 'open' } = row
  if (!isOpen(status))
    throw flawed('/status', 'not_allowed', 'must be open, in_progress or blocked')
  return givenOf(row, NewIssue) as NewIssue
}
