import type { Assignment } from '@muster/contract'

import type { Json } from './client.ts'
import {
  attempt,
  invalid,
  kinds,
  missing,
  nothing,
  type Refusal,
  refused,
  refuseStale,
  type Roster,
  type Rule,
  unless,
  type Work,
} from './roster-model.ts'

/** How much of each kind there is. */
export const countHeld = (held: readonly Work[]) =>
  Object.fromEntries(
    kinds.map((kind) => [`${kind}s`, held.filter(({ type }) => type === kind).length]),
  )

/** New work goes only to someone who is active. */
function refuseWork({ person }: Roster, userId: string | null, pointer: string): Refusal | null {
  if (userId === null) return null
  const status = person.get(userId)?.status
  if (status === undefined) return { code: 'unknown_reference', pointer }
  return unless(status === 'active', { code: 'not_assignable', pointer })
}

const ownerOf = (type: Assignment['type']) =>
  type === 'project' || type === 'risk' ? 'owner_user_id' : 'assignee_user_id'

const beginnings = { project: 'active', risk: 'identified', issue: 'open', task: 'todo' }

/** What comes first among its kind has the smaller rank. */
const ranks = {
  project: (_, now) => now,
  risk: ({ likelihood, impact }) => `${99 - likelihood * impact} ${9 - impact}`,
  issue: ({ severity }, now) => `${9 - severity} ${now}`,
  task: ({ due_on = null }) => due_on ?? '~',
} satisfies Record<Assignment['type'], (body: Json, now: string) => string>

/** A project, a risk, an issue or a task. Of the answer only what this is about is looked at. */
export const createWork =
  (type: Assignment['type']): Rule =>
  (world, { at, body }, { body: told }) => {
    const holder: string | null = body[ownerOf(type)] ?? null
    const id: string = told?.id ?? ''
    const project_id = type === 'project' ? id : (at['project_id'] ?? '')
    const title = body['title'] ?? body['name']
    const due_on = body['due_on'] ?? null
    const status = beginnings[type]
    const ref = type === 'project' ? body['code'] : told?.ref
    const rank = ranks[type](body, world.now)
    const after: Work = { type, id, ref, title, status, project_id, due_on, holder, rank }
    const changed = Object.keys(body)
    return attempt([[refuseWork(world, holder, `/${ownerOf(type)}`)]], () => ({
      things: [{ noun: 'work', after }],
      events: [{ type: `${type}.created`, subject: id, changed }],
      answer: ({ seq, now }) => ({
        ...told,
        ...body,
        status,
        [ownerOf(type)]: holder,
        version: seq,
        created_at: now,
      }),
    }))
  }

/**
 * All that someone holds goes to someone else. What came into their hands only while it was looked
 * for may stay with them: which it was is told by the events.
 */
export const reassignWork: Rule = (world, { at, body, onlyIf }, { moved }) => {
  const from = at['user_id'] ?? ''
  const { to_user_id: to, project_id } = body
  if (to === from) return refused(invalid('/to_user_id contradiction'))
  const giver = world.person.get(from)
  if (giver === undefined) return missing
  const isKnown = project_id === undefined || world.work.has(project_id)
  const refusals = [
    refuseWork(world, to, '/to_user_id'),
    unless(isKnown, { code: 'unknown_reference', pointer: '/project_id' }),
  ]
  const found = world
    .heldBy(from)
    .filter((work) => project_id === undefined || work.project_id === project_id)
    .filter(({ id }) => !world.fresh.has(id) || moved.has(id))
  return attempt([[refuseStale(onlyIf, giver)], refusals], () => ({
    ...(found.length === 0 ? nothing : handedOver(found, to)),
    answer: () => ({ user_id: from, to_user_id: to, reassigned: countHeld(found) }),
  }))
}

const handedOver = (found: readonly Work[], to: string) => ({
  things: found.map((work) => ({ noun: 'work' as const, after: { ...work, holder: to } })),
  events: found.map(({ type, id }) => ({
    type: `${type}.updated`,
    subject: id,
    changed: [ownerOf(type)],
  })),
})
