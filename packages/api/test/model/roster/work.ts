import type { Assignment } from '@muster/contract'

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
    const after: Work = { type, id, ref, title, status, project_id, due_on, assignee, rank }
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

/**
 * Reassigns all work of a person. Work that was assigned concurrently may stay; the events show
 * which was moved.
 */
export const reassignWork: Rule = (state, { at, body, ifMatch }, { reassignedIds }) => {
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
  return attempt([[refuseStale(ifMatch, person)], refusals], () => ({
    ...(found.length === 0 ? noEffect : reassignEffect(found, to)),
    responseBody: () => ({ user_id: from, to_user_id: to, reassigned: countByType(found) }),
  }))
}

const reassignEffect = (found: readonly Work[], to: string) => ({
  items: found.map((work) => ({ noun: 'work' as const, after: { ...work, assignee: to } })),
  events: found.map(({ type, id }) => ({
    type: `${type}.updated`,
    subject: id,
    changed: [ownerOf(type)],
  })),
})
