import { type Assignment, scale } from '@muster/contract'

import type { Json } from '#test/support/client'

import {
  attempt,
  invalid,
  kinds,
  notFound,
  noEffect,
  type Refusal,
  refused,
  refuseStale,
  type RosterState,
  type Rule,
  unless,
  type Work,
} from './model.ts'

/** The number of assignments per type. */
export const countByType = (held: readonly Work[]) =>
  Object.fromEntries(
    kinds.map((kind) => [`${kind}s`, held.filter(({ type }) => type === kind).length]),
  )

/** An assignee must be active. */
function refuseAssignee(
  { person }: RosterState,
  userId: string | null,
  pointer: string,
): Refusal | null {
  if (userId === null) return null
  const status = person.get(userId)?.status
  if (status === undefined) return { code: 'unknown_reference', pointer }
  return unless(status === 'active', { code: 'not_assignable', pointer })
}

const ownerOf = (type: Assignment['type']) =>
  type === 'project' || type === 'risk' ? 'owner_user_id' : 'assignee_user_id'

const initialStatus = { project: 'active', risk: 'identified', issue: 'open', task: 'todo' }

/** Sort keys in the order of the list of assignments. */
const ranks = {
  project: (_, now) => now,
  risk: ({ likelihood, impact }) => `${99 - likelihood * impact} ${9 - impact}`,
  issue: ({ severity }, now) => `${9 - severity} ${now}`,
  task: ({ due_on = null }) => due_on ?? '~',
} satisfies Record<Assignment['type'], (body: Json, now: string) => string>

/** Score, level and severity. */
function ratingOf(type: Assignment['type'], { likelihood, impact, severity }: Json) {
  const score = type === 'risk' ? likelihood * impact : null
  const level = scale.levels.find(({ score_max }) => score !== null && score <= score_max)?.level
  return { score, level: level ?? null, severity: type === 'issue' ? severity : null }
}

type NamedWork = Pick<Work, 'type' | 'ref' | 'title' | 'project_id'>

function projectName({ work }: RosterState, item: NamedWork) {
  const { ref, title } = item.type === 'project' ? item : (work.get(item.project_id) ?? item)
  return { id: item.project_id, code: ref, name: title }
}

/** A project, risk, issue or task. Only the fields of an assignment are modelled. */
export const createWork =
  (type: Assignment['type']): Rule =>
  (state, { at, body }, { body: response }) => {
    const assignee: string | null = body[ownerOf(type)] ?? null
    const id: string = response?.id ?? ''
    const project_id = type === 'project' ? id : (at['project_id'] ?? '')
    const title = body['title'] ?? body['name']
    const due_on = body['due_on'] ?? null
    const status = initialStatus[type]
    const ref = type === 'project' ? body['code'] : response?.ref
    const rank = ranks[type](body, state.now)
    const about = { type, id, ref, title, status, project_id, due_on }
    const project = projectName(state, about)
    const after: Work = { ...about, ...ratingOf(type, body), flags: [], project, assignee, rank }
    const changed = Object.keys(body)
    return attempt([[refuseAssignee(state, assignee, `/${ownerOf(type)}`)]], () => ({
      items: [{ noun: 'work', after }],
      events: [{ type: `${type}.created`, subject: id, changed }],
      responseBody: ({ seq, now }) => ({
        ...response,
        ...body,
        status,
        [ownerOf(type)]: assignee,
        version: seq,
        created_at: now,
      }),
    }))
  }

export const reassignWork: Rule = (state, command, observed) =>
  'items' in command.body
    ? reassignItems(state, command, observed)
    : reassignAll(state, command, observed)

/**
 * Reassigns all work of a person. Work that was assigned concurrently may stay; the events show
 * which was moved.
 */
const reassignAll: Rule = (state, { at, body, ifMatch }, { reassignedIds }) => {
  const from = at['user_id'] ?? ''
  const { to_user_id: to, project_id } = body
  if (to === from) return refused(invalid('/to_user_id contradiction'))
  const person = state.person.get(from)
  if (person === undefined) return notFound
  const isKnown = project_id === undefined || state.work.has(project_id)
  const refusals = [
    refuseAssignee(state, to, '/to_user_id'),
    unless(isKnown, { code: 'unknown_reference', pointer: '/project_id' }),
  ]
  const found = state
    .assignmentsOf(from)
    .filter((work) => project_id === undefined || work.project_id === project_id)
    .filter(({ id }) => !state.recentlyAssigned.has(id) || reassignedIds.has(id))
    .map((work) => ({ work, to }))
  return attempt([[refuseStale(ifMatch, person)], refusals], () => ({
    ...(found.length === 0 ? noEffect : reassignEffect(found)),
    responseBody: () => handover(from, [to], found),
  }))
}

/** Reassigns selected work. Every item must be assigned to the person. */
const reassignItems: Rule = (state, { at, body, ifMatch }) => {
  const from = at['user_id'] ?? ''
  const items: Json[] = body['items']
  const contradictions = items.flatMap(({ id, to_user_id }, index) => {
    const isRepeated = items.slice(0, index).some((before) => before.id === id)
    if (isRepeated) return [`/items/${index}/id repeated`]
    return to_user_id === from ? [`/items/${index}/to_user_id contradiction`] : []
  })
  if (contradictions.length > 0) return refused(invalid(...contradictions))
  const person = state.person.get(from)
  if (person === undefined) return notFound
  const errors = items.flatMap(({ id, to_user_id }, index) => {
    const refusal = refuseAssignee(state, to_user_id, `/items/${index}/to_user_id`)
    if (refusal) return [`${refusal.pointer} ${refusal.code}`]
    return state.work.get(id)?.assignee === from ? [] : [`/items/${index}/id not_assigned`]
  })
  const found = items.flatMap(({ id, to_user_id: to }) => {
    const work = state.work.get(id)
    return work ? [{ work, to }] : []
  })
  const successors = [...new Set(items.map(({ to_user_id }) => to_user_id))]
  const refusals = [unless(errors.length === 0, invalid(...errors))]
  return attempt([[refuseStale(ifMatch, person)], refusals], () => ({
    ...reassignEffect(found),
    responseBody: () => handover(from, successors, found),
  }))
}

interface Reassigned {
  readonly work: Work
  readonly to: string
}

const handover = (from: string, successors: readonly string[], found: readonly Reassigned[]) => {
  const countOf = (some: readonly Reassigned[]) => countByType(some.map(({ work }) => work))
  return {
    user_id: from,
    ...(successors.length === 1 && { to_user_id: successors[0] }),
    reassigned: countOf(found),
    handovers: successors.map((id) => ({
      to_user_id: id,
      reassigned: countOf(found.filter(({ to }) => to === id)),
    })),
  }
}

const reassignEffect = (found: readonly Reassigned[]) => ({
  items: found.map(({ work, to }) => ({ noun: 'work' as const, after: { ...work, assignee: to } })),
  events: found.map(({ work: { type, id } }) => ({
    type: `${type}.updated`,
    subject: id,
    changed: [ownerOf(type)],
  })),
})
