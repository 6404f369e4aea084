import { isDeepStrictEqual } from 'node:util'

import { levels, type Issue, type Project, type Risk } from '@muster/contract'

import { newIssue } from './issues.ts'
import {
  attempt,
  type Command,
  type Outcome,
  patchedMap,
  readPatch,
  realChanges,
  refused,
  refuseArchived,
  refuseStale,
  refuseAssignee,
  unless,
  type ModelState,
} from './model.ts'

export const isLive = ({ status }: Pick<Risk, 'status'>) =>
  ['identified', 'treating', 'monitoring'].includes(status)

const levelOf = (score: number) => {
  const [low, medium, high, critical] = levels
  if (score < 6) return low
  if (score < 12) return medium
  return score < 20 ? high : critical
}

/** Recomputes score, level, flags and tags of a risk. */
export function withDerived(state: ModelState, risk: Risk): Risk {
  const score = risk.likelihood * risk.impact
  const isRescored = score !== risk.score
  return {
    ...risk,
    score,
    level: levelOf(score),
    previous_score: isRescored ? risk.score : risk.previous_score,
    score_changed_at: isRescored ? state.now : risk.score_changed_at,
    tags: risk.tags.toSorted(),
    flags: isLive(risk) ? flagsOf(state, { ...risk, score }) : [],
  }
}

function flagsOf(state: ModelState, risk: Risk): Risk['flags'] {
  const appetite = state.project.get(risk.project_id)?.risk_appetite ?? 25
  const facts = {
    above_appetite: risk.score > appetite,
    acceptance_expired: risk.acceptance !== null && risk.acceptance.expires_on < state.today,
    review_overdue: risk.review_on !== null && risk.review_on < state.today,
  }
  // The cast holds because the keys are flag names.
  return Object.keys(facts).filter((flag) => facts[flag as 'above_appetite']) as Risk['flags']
}

export const closedRisk = (
  state: ModelState,
  risk: Risk,
  {
    close_reason,
    close_note = null,
  }: { close_reason: Risk['close_reason']; close_note?: string | null },
): Risk =>
  withDerived(state, { ...risk, status: 'closed', closed_at: state.now, close_reason, close_note })

type RatingInput = {
  likelihood?: number
  impact?: number
  score?: number
  due_on?: string | null
} | null

/** Whether a rating is complete, and a given score is the product. */
const isRated = (given: RatingInput) =>
  given === null ||
  (given.likelihood !== undefined &&
    given.impact !== undefined &&
    [undefined, given.likelihood * given.impact].includes(given.score))

function rated(given: RatingInput): Risk['inherent'] {
  if (given === null) return null
  const { likelihood = 0, impact = 0 } = given
  return { likelihood, impact, score: likelihood * impact }
}

function targetOf(given: RatingInput): Risk['target'] {
  const rating = rated(given)
  return rating && { ...rating, due_on: given?.due_on ?? null }
}

export function createRisk(state: ModelState, command: Command, id: string): Outcome {
  const { body, at } = command
  const project = state.project.get(at['project_id'] ?? '')
  if (project === undefined) return refused('not_found')
  const [inherent, target] = [body['inherent'] ?? null, body['target'] ?? null] as RatingInput[]
  const score = Number(body['likelihood']) * Number(body['impact'])
  const risk = {
    ...defaults,
    ...body,
    id,
    ref: state.nextRef(project, 'R'),
    project_id: project.id,
    inherent: rated(inherent ?? null),
    target: targetOf(target ?? null),
    score,
    identified_at: state.now,
    created_at: state.now,
  } as unknown as Risk
  return attempt({
    refusals: [
      refuseArchived(project),
      refuseAssignee(state, body['owner_user_id']),
      unless(body['response'] !== 'accept', 'invalid_transition'),
      unless(isRated(inherent ?? null) && isRated(target ?? null), 'validation_failed'),
    ],
    changes: () => [
      {
        noun: 'risk',
        before: null,
        after: withDerived(state, risk),
        type: 'risk.created',
        changed: Object.keys(body),
      },
    ],
    responseBody: (after) => after.risk.get(id),
  })
}

/** The default values of a new risk. */
const defaults = {
  description: null,
  category: 'other',
  status: 'identified',
  response: 'undecided',
  owner_user_id: null,
  review_on: null,
  last_reviewed_at: null,
  acceptance: null,
  previous_score: null,
  score_changed_at: null,
  issue_ids: [],
  occurred_at: null,
  closed_at: null,
  close_reason: null,
  close_note: null,
  external_id: null,
  tags: [],
  links: [],
  metadata: {},
}

interface FoundRisk {
  readonly before: Risk
  readonly project: Project
}

function findRisk(state: ModelState, { at }: Command): FoundRisk | null {
  const project = state.project.get(at['project_id'] ?? '')
  const before = state.risk.get(at['risk_id'] ?? '')
  return project && before?.project_id === project.id ? { before, project } : null
}

interface Step {
  readonly refusals?: readonly (Outcome['refusals'][number] | null)[]
  readonly after: Risk
  readonly type: string
}

/**
 * A change to an existing risk in a project that is not archived. An unchanged risk is not written,
 * and its flags are left to the sweeper.
 */
function change(state: ModelState, command: Command, step: (risk: Risk) => Step): Outcome {
  const found = findRisk(state, command)
  if (found === null) return refused('not_found')
  const { before, project } = found
  const { refusals = [], after, type } = step(before)
  return attempt({
    refusals: [...refusals, refuseStale(command, before), refuseArchived(project)],
    changes: () =>
      realChanges([{ noun: 'risk', before, after, type }]).length > 0
        ? [{ noun: 'risk', before, after: withDerived(state, after), type }]
        : [],
    responseBody: (then) => then.risk.get(before.id),
  })
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
  'links',
] as const

export function updateRisk(state: ModelState, command: Command): Outcome {
  return change(state, command, (risk) => {
    const { inherent, target, metadata, ...body } = command.body
    const { fields, refusals } = readPatch(risk, body, writable)
    const { status = risk.status, response = risk.response } = fields
    const before = mergedRating(risk.inherent, inherent as RatingInput)
    const targetRating = mergedRating(risk.target, target as RatingInput)
    const isMove = status !== risk.status
    const isReassigned = fields.owner_user_id !== risk.owner_user_id
    const isAllowed =
      (!isMove || (isLive(risk) && isLive({ status }))) &&
      (response !== 'accept' || risk.response === 'accept')
    return {
      type: 'risk.updated',
      refusals: [
        ...refusals,
        unless(isAllowed, 'invalid_transition'),
        isReassigned ? refuseAssignee(state, fields.owner_user_id) : null,
        unless(isRated(before) && isRated(targetRating), 'validation_failed'),
      ],
      after: {
        ...risk,
        ...fields,
        inherent: rated(before),
        target: targetOf(targetRating),
        metadata: patchedMap(risk.metadata, metadata as never),
        acceptance: response === 'accept' ? risk.acceptance : null,
      },
    }
  })
}

/** Merges a rating; the score is recomputed. */
function mergedRating(current: RatingInput, patch: RatingInput | undefined): RatingInput {
  if (patch === null) return null
  if (patch === undefined) return current
  const { score: _, ...rest } = current ?? {}
  return patchedMap<unknown>(rest, patch)
}

const refuseUnlessLive = (risk: Risk) => unless(isLive(risk), 'invalid_transition')

export const reviewRisk = (state: ModelState, command: Command) =>
  change(state, command, (risk) => {
    const { note: _, review_on = null, ...ratings } = command.body
    const after = { ...risk, ...ratings, review_on, last_reviewed_at: state.now } as Risk
    return { type: 'risk.reviewed', refusals: [refuseUnlessLive(risk)], after }
  })

export const acceptRisk = (state: ModelState, command: Command) =>
  change(state, command, (risk) => {
    const input = command.body as unknown as NonNullable<Risk['acceptance']>
    const acceptance = { ...input, ...conditions(state, risk) }
    const { accepted_at } = risk.acceptance ?? acceptance
    const isSame = isDeepStrictEqual(risk.acceptance, { ...acceptance, accepted_at })
    const type = 'risk.accepted'
    if (isLive(risk) && isSame && risk.response === 'accept') return { type, after: risk }
    return {
      type,
      refusals: [
        refuseUnlessLive(risk),
        refuseAssignee(state, input.accepted_by_user_id),
        unless(input.expires_on >= state.today, 'validation_failed'),
      ],
      after: { ...risk, response: 'accept', acceptance },
    }
  })

/** What applies at the time of an acceptance. */
const conditions = (state: ModelState, { project_id, likelihood, impact, ...risk }: Risk) => ({
  accepted_at: state.now,
  risk_appetite: state.project.get(project_id)?.risk_appetite ?? null,
  likelihood,
  impact,
  score: risk.score,
  level: risk.level,
})

export const closeRisk = (state: ModelState, command: Command) =>
  change(state, command, (risk) => ({
    type: 'risk.closed',
    after: risk.status === 'closed' ? risk : closedRisk(state, risk, command.body as never),
  }))

export const reopenRisk = (state: ModelState, command: Command) =>
  change(state, command, (risk) => {
    const open = { status: 'identified', closed_at: null, close_reason: null } as const
    const after = isLive(risk) ? risk : { ...risk, ...open, close_note: null }
    return { type: 'risk.reopened', after }
  })

/** Creates an issue from the risk. A repeated request returns the existing issue. */
export function occurRisk(state: ModelState, command: Command, issueId: string): Outcome {
  const found = findRisk(state, command)
  if (found === null) return refused('not_found')
  const { before, project } = found
  const isOver = before.status === 'occurred'
  const { title, description, impact: severity, owner_user_id, tags, id: risk_id } = before
  const cause = { title, description, severity, assignee_user_id: owner_user_id, risk_id, tags }
  const issue = newIssue(state, { project, id: issueId, body: cause })
  const issue_ids = isOver ? before.issue_ids : [...before.issue_ids, issueId]
  return attempt({
    refusals: [
      refuseStale(command, before),
      ...(isOver ? [] : [refuseArchived(project), refuseUnlessLive(before)]),
    ],
    changes: () =>
      isOver
        ? []
        : [
            {
              noun: 'risk',
              before,
              after: withDerived(state, {
                ...before,
                status: 'occurred',
                issue_ids,
                occurred_at: state.now,
              }),
              type: 'risk.occurred',
            },
            {
              noun: 'issue',
              before: null,
              after: issue,
              type: 'issue.created',
              changed: ['title', 'severity', 'risk_id'],
            },
          ],
    responseBody: (after): { risk: Risk | undefined; issue: Issue | undefined } => ({
      risk: after.risk.get(before.id),
      issue: after.issue.get(issue_ids.at(-1) ?? ''),
    }),
  })
}
