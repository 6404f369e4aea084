import assert from 'node:assert/strict'

import type { Issue, Risk } from '@muster/contract'

import { refuseUnassignable } from '#domain/assignable'
import type { Caller } from '#domain/caller'
import { closed, type Closing, impossible } from '#domain/change'
import { Failure, invalid } from '#domain/failure'
import { isLive } from '#domain/flags'
import { newIssue, presentIssue, saveNewIssue } from '#domain/issues'
import { lockProject, refuseArchived } from '#domain/projects'
import { refuseOverQuota } from '#domain/quota'
import { changeRisk, lockRisk, presentRisk, saveRisk, settled } from '#domain/risks'
import { selectIssueById } from '#storage/issues'
import { type InProject, updateNumbers } from '#storage/projects'
import type { StoredRisk } from '#storage/risks'

type Manager = Caller<'projects.manage'>

export interface Review {
  readonly likelihood?: number
  readonly impact?: number
  readonly note: string
  readonly review_on?: string | null
}

/** What happens in the meeting: a note, perhaps a new rating, and the day of the next look. */
export function reviewRisk(caller: Manager, at: InProject, review: Review): Promise<Risk> {
  return changeRisk(caller, at, {
    type: 'risk.reviewed',
    note: review.note,
    change: (risk, { write }) => {
      refuseUnlessLive(risk, 'reviewed')
      return { ...reviewed(risk, review), last_reviewed_at: write.now }
    },
  })
}

/** What is left out of a rating stays; a day that is left out is none. */
const reviewed = (risk: StoredRisk, { likelihood, impact, review_on = null }: Review) => ({
  likelihood: likelihood ?? risk.likelihood,
  impact: impact ?? risk.impact,
  review_on,
})

export interface Acceptance {
  readonly accepted_by_user_id: string
  readonly expires_on: string
  readonly rationale: string
}

/** Someone answers for leaving it as it is. The same again changes nothing. */
export function acceptRisk(caller: Manager, at: InProject, wish: Acceptance): Promise<Risk> {
  const { accepted_by_user_id, expires_on, rationale } = wish
  return changeRisk(caller, at, {
    type: 'risk.accepted',
    note: rationale,
    people: [accepted_by_user_id],
    change: (risk, { write, people }) => {
      refuseUnlessLive(risk, 'accepted')
      const { acceptance } = risk
      const isSame =
        acceptance?.accepted_by_user_id === accepted_by_user_id &&
        acceptance.expires_on === expires_on &&
        acceptance.rationale === rationale
      if (isSame && risk.response === 'accept') return {}
      refuseUnassignable(people, accepted_by_user_id, '/accepted_by_user_id')
      if (expires_on < write.today) {
        const detail = `must not be before today, ${write.today}`
        throw invalid({ pointer: '/expires_on', code: 'in_the_past', detail })
      }
      const accepted_at = write.now
      return {
        response: 'accept',
        acceptance: { accepted_by_user_id, accepted_at, expires_on, rationale },
      }
    },
  })
}

export interface Occurrence {
  readonly risk: Risk
  readonly issue: Issue
}

/**
 * The risk came true: it becomes an issue, in the same write. Said again, it changes nothing and
 * answers the issue that it became.
 */
export function occurRisk(
  caller: Manager,
  at: InProject,
  { note = null }: { note?: string | null },
): Promise<Occurrence> {
  return caller.database.write(caller, async (write) => {
    const { project, issue_number } = await lockProject(write, at.projectId)
    const risk = await lockRisk(caller, write, at)
    const last = risk.issue_ids.at(-1)
    if (risk.status === 'occurred' && last !== undefined) {
      const issue = await selectIssueById(write, last)
      assert(issue, 'an issue is never deleted')
      return { risk: presentRisk(risk), issue: presentIssue(issue) }
    }
    refuseArchived(project)
    refuseUnlessLive(risk, 'said to have occurred')
    await refuseOverQuota(write, 'open_issues')
    refuseTooOften(risk)
    const number = issue_number + 1
    const issue = newIssue(
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
    updateNumbers(write, project.id, { issue_number: number })
    const occurred = {
      ...risk,
      status: 'occurred' as const,
      issue_ids: [...risk.issue_ids, issue.id],
    }
    const after = settled(occurred, { write, project })
    const saved = saveRisk(write, { before: risk, after, type: 'risk.occurred', note })
    return {
      risk: presentRisk(saved),
      issue: presentIssue(saveNewIssue(write, issue, ['title', 'severity', 'risk_id'])),
    }
  })
}

const occurrencesMax = 100

function refuseTooOften({ ref, issue_ids }: StoredRisk): void {
  if (issue_ids.length < occurrencesMax) return
  const detail = `${ref} has occurred ${issue_ids.length} times already. Enter a new risk for it.`
  throw new Failure('too_many_items', detail, { count: issue_ids.length, limit: occurrencesMax })
}

export type RiskClosing = Closing<NonNullable<Risk['close_reason']>>

/** Takes a risk off the register. Closing it again changes nothing. */
export function closeRisk(caller: Manager, at: InProject, closing: RiskClosing): Promise<Risk> {
  return changeRisk(caller, at, {
    type: 'risk.closed',
    note: closing.close_note ?? null,
    change: (risk, { write }) => (risk.status === 'closed' ? {} : closed(closing, write.now)),
  })
}

/** Puts a risk back on the register. One that is on it stays as it is. */
export function reopenRisk(
  caller: Manager,
  at: InProject,
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

function refuseUnlessLive({ status, ref }: StoredRisk, done: string): void {
  if (isLive(status)) return
  const detail = `${ref} is ${status}, and only a live risk can be ${done}. POST …/reopen first.`
  throw impossible(detail, { from: status, to: done, allowed: ['reopen'] })
}
