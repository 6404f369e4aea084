import { isDeepStrictEqual } from 'node:util'

import { levels, type Issue, type Project, type Risk } from '@muster/contract'

import { newIssue } from './model-issues.ts'
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
  refuseWork,
  unless,
  type World,
} from './model.ts'

export const isLive = ({ status }: Pick<Risk, 'status'>) =>
  ['identified', 'treating', 'monitoring'].includes(status)

const levelOf = (score: number) => {
  const [low, medium, high, critical] = levels
  if (score < 6) return low
  if (score < 12) return medium
  return score < 20 ? high : critical
}

/** A risk with what follows from the rest of it: score, level, flags, sorted tags. */
export function settled(world: World, risk: Risk): Risk {
  const score = risk.likelihood * risk.impact
  const isRescored = score !== risk.score
  return {
    ...risk,
    score,
    level: levelOf(score),
    previous_score: isRescored ? risk.score : risk.previous_score,
    score_changed_at: isRescored ? world.now : risk.score_changed_at,
    tags: risk.tags.toSorted(),
    flags: isLive(risk) ? flagsOf(world, { ...risk, score }) : [],
  }
}

function flagsOf(world: World, risk: Risk): Risk['flags'] {
  const appetite = world.project.get(risk.project_id)?.risk_appetite ?? 25
  const facts = {
    above_appetite: risk.score > appetite,
    acceptance_expired: risk.acceptance !== null && risk.acceptance.expires_on < world.today,
    review_overdue: risk.review_on !== null && risk.review_on < world.today,
  }
  // The cast holds because a fact has the name of its flag.
  return Object.keys(facts).filter((flag) => facts[flag as 'above_appetite']) as Risk['flags']
}

export const closedRisk = (
  world: World,
  risk: Risk,
  {
    close_reason,
    close_note = null,
  }: { close_reason: Risk['close_reason']; close_note?: string | null },
): Risk =>
  settled(world, { ...risk, status: 'closed', closed_at: world.now, close_reason, close_note })

type Given = { likelihood?: number; impact?: number; score?: number; due_on?: string | null } | null

/** Whether a rating is whole, and a score that came with it is its product. */
const isRated = (given: Given) =>
  given === null ||
  (given.likelihood !== undefined &&
    given.impact !== undefined &&
    [undefined, given.likelihood * given.impact].includes(given.score))

function rated(given: Given): Risk['inherent'] {
  if (given === null) return null
  const { likelihood = 0, impact = 0 } = given
  return { likelihood, impact, score: likelihood * impact }
}

function aimed(given: Given): Risk['target'] {
  const rating = rated(given)
  return rating && { ...rating, due_on: given?.due_on ?? null }
}

export function createRisk(world: World, command: Command, id: string): Outcome {
  const { body, at } = command
  const project = world.project.get(at['project_id'] ?? '')
  if (project === undefined) return refused('not_found')
  const [inherent, target] = [body['inherent'] ?? null, body['target'] ?? null] as Given[]
  const score = Number(body['likelihood']) * Number(body['impact'])
  const risk = {
    ...nothing,
    ...body,
    id,
    ref: world.nextRef(project, 'R'),
    project_id: project.id,
    inherent: rated(inherent ?? null),
    target: aimed(target ?? null),
    score,
    created_at: world.now,
  } as unknown as Risk
  return attempt({
    refusals: [
      refuseArchived(project),
      refuseWork(world, body['owner_user_id']),
      unless(body['response'] !== 'accept', 'invalid_transition'),
      unless(isRated(inherent ?? null) && isRated(target ?? null), 'validation_failed'),
    ],
    changes: () => [
      {
        noun: 'risk',
        before: null,
        after: settled(world, risk),
        type: 'risk.created',
        changed: Object.keys(body),
      },
    ],
    answer: (after) => after.risk.get(id),
  })
}

/** What a risk is of which nothing was said. */
const nothing = {
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
  closed_at: null,
  close_reason: null,
  close_note: null,
  tags: [],
  metadata: {},
}

interface Found {
  readonly before: Risk
  readonly project: Project
}

function findRisk(world: World, { at }: Command): Found | null {
  const project = world.project.get(at['project_id'] ?? '')
  const before = world.risk.get(at['risk_id'] ?? '')
  return project && before?.project_id === project.id ? { before, project } : null
}

interface Step {
  readonly refusals?: readonly (Outcome['refusals'][number] | null)[]
  readonly after: Risk
  readonly type: string
}

/**
 * A change of one risk that is there, in a project that is not archived. When nothing is wished
 * that is not so already, nothing follows either: the flags are left to the sweeper.
 */
function change(world: World, command: Command, step: (risk: Risk) => Step): Outcome {
  const found = findRisk(world, command)
  if (found === null) return refused('not_found')
  const { before, project } = found
  const { refusals = [], after, type } = step(before)
  return attempt({
    refusals: [...refusals, refuseStale(command, before), refuseArchived(project)],
    changes: () =>
      realChanges([{ noun: 'risk', before, after, type }]).length > 0
        ? [{ noun: 'risk', before, after: settled(world, after), type }]
        : [],
    answer: (then) => then.risk.get(before.id),
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
] as const

export function updateRisk(world: World, command: Command): Outcome {
  return change(world, command, (risk) => {
    const { inherent, target, metadata, ...body } = command.body
    const { fields, refusals } = readPatch(risk, body, writable)
    const { status = risk.status, response = risk.response } = fields
    const before = mergedRating(risk.inherent, inherent as Given)
    const aim = mergedRating(risk.target, target as Given)
    const isMove = status !== risk.status
    const isGiven = fields.owner_user_id !== risk.owner_user_id
    const isPossible =
      (!isMove || (isLive(risk) && isLive({ status }))) &&
      (response !== 'accept' || risk.response === 'accept')
    return {
      type: 'risk.updated',
      refusals: [
        ...refusals,
        unless(isPossible, 'invalid_transition'),
        isGiven ? refuseWork(world, fields.owner_user_id) : null,
        unless(isRated(before) && isRated(aim), 'validation_failed'),
      ],
      after: {
        ...risk,
        ...fields,
        inherent: rated(before),
        target: aimed(aim),
        metadata: patchedMap(risk.metadata, metadata as never),
        acceptance: response === 'accept' ? risk.acceptance : null,
      },
    }
  })
}

/** The rest of a rating stays, but for the score, which follows. */
function mergedRating(current: Given, patch: Given | undefined): Given {
  if (patch === null) return null
  if (patch === undefined) return current
  const { score: _, ...rest } = current ?? {}
  return patchedMap<unknown>(rest, patch)
}

const refuseOver = (risk: Risk) => unless(isLive(risk), 'invalid_transition')

export const reviewRisk = (world: World, command: Command) =>
  change(world, command, (risk) => {
    const { note: _, review_on = null, ...ratings } = command.body
    const after = { ...risk, ...ratings, review_on, last_reviewed_at: world.now } as Risk
    return { type: 'risk.reviewed', refusals: [refuseOver(risk)], after }
  })

export const acceptRisk = (world: World, command: Command) =>
  change(world, command, (risk) => {
    const wish = command.body as unknown as NonNullable<Risk['acceptance']>
    const { accepted_at: _, ...known } = risk.acceptance ?? {}
    const isSame = isDeepStrictEqual(known, { ...wish })
    const type = 'risk.accepted'
    if (isLive(risk) && isSame && risk.response === 'accept') return { type, after: risk }
    return {
      type,
      refusals: [
        refuseOver(risk),
        refuseWork(world, wish.accepted_by_user_id),
        unless(wish.expires_on >= world.today, 'validation_failed'),
      ],
      after: { ...risk, response: 'accept', acceptance: { ...wish, accepted_at: world.now } },
    }
  })

export const closeRisk = (world: World, command: Command) =>
  change(world, command, (risk) => ({
    type: 'risk.closed',
    after: risk.status === 'closed' ? risk : closedRisk(world, risk, command.body as never),
  }))

export const reopenRisk = (world: World, command: Command) =>
  change(world, command, (risk) => {
    const open = { status: 'identified', closed_at: null, close_reason: null } as const
    const after = isLive(risk) ? risk : { ...risk, ...open, close_note: null }
    return { type: 'risk.reopened', after }
  })

/** The risk becomes an issue; said again, the answer is the issue that it became. */
export function occurRisk(world: World, command: Command, issueId: string): Outcome {
  const found = findRisk(world, command)
  if (found === null) return refused('not_found')
  const { before, project } = found
  const isOver = before.status === 'occurred'
  const { title, description, impact: severity, owner_user_id, tags, id: risk_id } = before
  const cause = { title, description, severity, assignee_user_id: owner_user_id, risk_id, tags }
  const issue = newIssue(world, { project, id: issueId, body: cause })
  const issue_ids = isOver ? before.issue_ids : [...before.issue_ids, issueId]
  return attempt({
    refusals: [
      refuseStale(command, before),
      ...(isOver ? [] : [refuseArchived(project), refuseOver(before)]),
    ],
    changes: () =>
      isOver
        ? []
        : [
            {
              noun: 'risk',
              before,
              after: settled(world, { ...before, status: 'occurred', issue_ids }),
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
    answer: (after): { risk: Risk | undefined; issue: Issue | undefined } => ({
      risk: after.risk.get(before.id),
      issue: after.issue.get(issue_ids.at(-1) ?? ''),
    }),
  })
}
