import { isDeepStrictEqual } from 'node:util'

import { isLive, type Issue, type Risk } from '@muster/contract'

import { refuseAppetite } from '#domain/auth/rights'
import type { Caller } from '#domain/engine/caller'
import { closed, type CloseInput, invalidTransition } from '#domain/engine/change'
import { Failure, invalid } from '#domain/engine/failure'
import { refuseOverQuota } from '#domain/engine/quota'
import { refuseUnassignable } from '#domain/roster/assignable'
import { later } from '#domain/rules/time'
import { selectIssueById } from '#storage/nouns/issues'
import { updateReferenceNumbers } from '#storage/nouns/projects'
import type { StoredRisk } from '#storage/nouns/risks'

import { buildIssue, saveNewIssue } from './issues.ts'
import { type ItemPath, openItem } from './open-project.ts'
import { lockProject, refuseArchived } from './projects.ts'
import { presentRisk } from './risk-levels.ts'
import { changeRisk, deriveRiskFields, lockRisk, type RiskContext, saveRisk } from './risks.ts'

type ManagingCaller = Caller<'projects.manage'>

export interface ReviewInput {
  readonly likelihood?: number
  readonly impact?: number
  readonly note: string
  readonly review_on?: string | null
}

/** Records a review: a note, optionally a new rating, and the date of the next review. */
export function reviewRisk(
  caller: ManagingCaller,
  at: ItemPath,
  review: ReviewInput,
): Promise<Risk> {
  return changeRisk(caller, at, {
    type: 'risk.reviewed',
    note: review.note,
    change: (risk, { write }) => {
      refuseNotLive(risk, 'reviewed')
      return { ...reviewedFields(risk, review), last_reviewed_at: write.now }
    },
  })
}

/** An omitted rating is kept; an omitted `review_on` clears the date. */
const reviewedFields = (
  risk: StoredRisk,
  { likelihood, impact, review_on = null }: ReviewInput,
) => ({
  likelihood: likelihood ?? risk.likelihood,
  impact: impact ?? risk.impact,
  review_on,
})

export interface AcceptInput {
  readonly accepted_by_user_id: string
  readonly expires_on: string
  readonly rationale: string
}

/**
 * Records who accepts the risk and until when. Repeating the same acceptance is a no-op, unless the
 * score or the appetite has changed since.
 */
export function acceptRisk(
  caller: ManagingCaller,
  at: ItemPath,
  input: AcceptInput,
): Promise<Risk> {
  const { accepted_by_user_id, expires_on, rationale } = input
  return changeRisk(caller, at, {
    type: 'risk.accepted',
    note: rationale,
    people: [accepted_by_user_id],
    change: (risk, { write, project, people }) => {
      refuseNotLive(risk, 'accepted')
      if (project.risk_appetite !== null && risk.score > project.risk_appetite)
        refuseAppetite(caller, 'Accepting a risk above the appetite of its project')
      const acceptance = newAcceptance(input, risk, { write, project })
      const { accepted_at } = risk.acceptance ?? acceptance
      if (isDeepStrictEqual(risk.acceptance, { ...acceptance, accepted_at })) return {}
      refuseUnassignable(people, accepted_by_user_id, '/accepted_by_user_id')
      if (expires_on < write.today) {
        const detail = `must not be before today, ${write.today}`
        throw invalid({ pointer: '/expires_on', code: 'in_the_past', detail })
      }
      return { response: 'accept', acceptance }
    },
  })
}

/** Keeps what applies now: the rating of the risk and the appetite of its project. */
const newAcceptance = (
  { accepted_by_user_id, expires_on, rationale }: AcceptInput,
  { acceptance: previous, likelihood, impact, score }: StoredRisk,
  { write, project }: Pick<RiskContext, 'write' | 'project'>,
) => ({
  accepted_by_user_id,
  accepted_at: laterThan(previous?.accepted_at ?? null, write.now),
  expires_on,
  rationale,
  risk_appetite: project.risk_appetite,
  likelihood,
  impact,
  score,
})

/** Acceptances of a risk differ in their times, also those of concurrent requests. */
const laterThan = (earlier: string | null, now: string) =>
  earlier === null || earlier < now ? now : later(earlier, 1, 'milliseconds')

interface OccurResult {
  readonly risk: Risk
  readonly issue: Issue
}

/**
 * Marks the risk as occurred and opens an issue for it in the same write. For a risk that has
 * occurred already, it writes nothing and returns the existing issue.
 */
export function occurRisk(
  caller: ManagingCaller,
  at: ItemPath,
  { note = null }: { note?: string | null },
): Promise<OccurResult> {
  return caller.database.write(caller, async (write) => {
    const opened = openItem(caller, at, 'manage')
    const { project, issue_number } = await lockProject(write, opened.project)
    const risk = await lockRisk(caller, write, opened)
    const last = risk.issue_ids.at(-1)
    if (risk.status === 'occurred' && last !== undefined) {
      const issue = await selectIssueById(write, last)
      // The issue may have been moved to a project that the caller may not see.
      if (issue === null) throw notLive(risk, 'occurred')
      return { risk: presentRisk(risk), issue }
    }
    refuseArchived(project)
    refuseNotLive(risk, 'occurred')
    await refuseOverQuota(write, 'open_issues')
    refuseTooManyOccurrences(risk)
    const number = issue_number + 1
    const issue = buildIssue(
      {
        title: risk.title,
        description: risk.description,
        severity: risk.impact,
        assignee_user_id: risk.owner_user_id,
        risk_id: risk.id,
        tags: risk.tags,
      },
      { write, project, number },
    )
    updateReferenceNumbers(write, opened.project, { issue_number: number })
    const occurred = {
      ...risk,
      status: 'occurred' as const,
      issue_ids: [...risk.issue_ids, issue.id],
      occurred_at: write.now,
    }
    const after = deriveRiskFields(occurred, { write, project })
    const saved = saveRisk(write, { before: risk, after, type: 'risk.occurred', note })
    return {
      risk: presentRisk(saved),
      issue: saveNewIssue(write, issue, ['title', 'severity', 'risk_id']),
    }
  })
}

const occurrencesMax = 100

function refuseTooManyOccurrences({ ref, issue_ids }: StoredRisk): void {
  if (issue_ids.length < occurrencesMax) return
  const detail = `${ref} has already occurred ${issue_ids.length} times. Create a new risk.`
  throw new Failure('too_many_items', detail, { count: issue_ids.length, limit: occurrencesMax })
}

export type CloseRiskInput = CloseInput<NonNullable<Risk['close_reason']>>

/** Removes a risk from the register. Closing a closed risk is a no-op. */
export function closeRisk(
  caller: ManagingCaller,
  at: ItemPath,
  closing: CloseRiskInput,
): Promise<Risk> {
  return changeRisk(caller, at, {
    type: 'risk.closed',
    note: closing.close_note ?? null,
    change: (risk, { write }) => (risk.status === 'closed' ? {} : closed(closing, write.now)),
  })
}

/** Returns a risk to the register. Reopening a live risk is a no-op. */
export function reopenRisk(
  caller: ManagingCaller,
  at: ItemPath,
  { note = null }: { note?: string | null },
): Promise<Risk> {
  return changeRisk(caller, at, {
    type: 'risk.reopened',
    note,
    change: async (risk, { write }) => {
      if (isLive(risk.status)) return {}
      await refuseOverQuota(write, 'live_risks')
      return { status: 'identified', closed_at: null, close_reason: null, close_note: null }
    },
  })
}

function refuseNotLive(risk: StoredRisk, to: string): void {
  if (!isLive(risk.status)) throw notLive(risk, to)
}

function notLive({ status, ref }: StoredRisk, to: string): Failure {
  const detail = `${ref} is ${status}. This requires a live risk. Use POST …/reopen first.`
  return invalidTransition(detail, { from: status, to, allowed: ['reopen'] })
}
