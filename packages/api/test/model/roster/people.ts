import type { Person, PersonStatus } from '@muster/contract'

import { patchedMap } from '#test/model/projects/model'

import { withoutMembers } from './members.ts'
import {
  attempt,
  type Command,
  differences,
  type Effect,
  invalid,
  notFound,
  noEffect,
  type Outcome,
  readPatch,
  type Refusal,
  refused,
  refuseFull,
  refuseStale,
  type RosterState,
  type Rule,
  changeEffect,
  unless,
} from './model.ts'
import { countByType } from './work.ts'

export function newPerson({ now }: RosterState, body: Command['body'], id: string): Person {
  // The cast holds because the body has a name, and every other field has a value here.
  return {
    email: null,
    phone: null,
    title: null,
    department: null,
    external_id: null,
    manager_user_id: null,
    time_zone: null,
    start_on: null,
    end_on: null,
    metadata: {},
    ...body,
    id,
    user_id: id,
    status: 'active',
    status_reason: null,
    status_changed_at: now,
    assignable: true,
    group_ids: [],
    erased_at: null,
    created_at: now,
  } as unknown as Person
}

/** The manager of each person after a change. */
export type Chart = (userId: string) => string | null

export const chartOf =
  ({ person }: RosterState): Chart =>
  (userId) =>
    person.get(userId)?.manager_user_id ?? null

const pointer = '/manager_user_id'

export function refuseManager({ person }: RosterState, managerId: string | null): Refusal | null {
  if (managerId === null) return null
  const manager = person.get(managerId)
  if (manager === undefined) return { code: 'unknown_reference', pointer }
  return unless(manager.status !== 'departed', { code: 'not_on_roster', pointer })
}

/** Refuses a cycle of managers. */
export function refuseCycle(chart: Chart, userId: string): Refusal | null {
  const passed = new Set<string>()
  for (let above = chart(userId); above !== null && !passed.has(above); above = chart(above)) {
    if (above === userId) return { code: 'manager_cycle', pointer }
    passed.add(above)
  }
  return null
}

export const wrongZone = 'Mars/Olympus'

export const refuseContradictions = ({ time_zone, start_on, end_on }: Person) => [
  unless(time_zone !== wrongZone, invalid('/time_zone unknown_time_zone')),
  unless(!start_on || !end_on || start_on <= end_on, invalid('/end_on out_of_order')),
]

/** The emails (in lower case) and external ids in use on the roster. */
export interface TakenValues {
  readonly emails: Map<string, string>
  readonly externalIds: Map<string, string>
}

export function takenValuesIn({ onRoster }: RosterState): TakenValues {
  const takenValues = { emails: new Map<string, string>(), externalIds: new Map<string, string>() }
  for (const person of onRoster) markTaken(takenValues, person)
  return takenValues
}

export function markTaken({ emails, externalIds }: TakenValues, person: Person): void {
  const { id, email, external_id } = person
  if (email !== null) emails.set(email.toLowerCase(), id)
  if (external_id !== null) externalIds.set(external_id, id)
}

export function refuseTaken(
  { emails, externalIds }: TakenValues,
  person: Person,
): (Refusal | null)[] {
  const { id, email, external_id } = person
  const emailHolder = email === null ? id : (emails.get(email.toLowerCase()) ?? id)
  const idHolder = external_id === null ? id : (externalIds.get(external_id) ?? id)
  return [
    unless(emailHolder === id, {
      code: 'email_taken',
      pointer: '/email',
      conflicting_id: emailHolder,
    }),
    unless(idHolder === id, {
      code: 'external_id_taken',
      pointer: '/external_id',
      conflicting_id: idHolder,
    }),
  ]
}

const responseOf = (id: string) => (then: RosterState) => then.person.get(id)

export const createPerson: Rule = (state, { body }, observed) => {
  const after = newPerson(state, body, observed.body?.id ?? '')
  const refusals = [
    refuseFull(state, 'people'),
    refuseManager(state, after.manager_user_id),
    ...refuseContradictions(after),
    ...refuseTaken(takenValuesIn(state), after),
  ]
  return attempt([refusals], () => ({
    items: [{ noun: 'person', after }],
    events: [{ type: 'person.created', subject: after.id, changed: Object.keys(body) }],
    responseBody: responseOf(after.id),
  }))
}

export const writable = [
  'name',
  'email',
  'phone',
  'title',
  'department',
  'external_id',
  'manager_user_id',
  'time_zone',
  'start_on',
  'end_on',
  'status_reason',
  'metadata',
]

export const updatePerson: Rule = (state, { at, body, ifMatch }) => {
  const before = state.person.get(at['user_id'] ?? '')
  if (before === undefined) return notFound
  const { fields, refusals } = readPatch(before, body, writable)
  const metadata = patchedMap(before.metadata, body['metadata'])
  const after = { ...before, ...fields, metadata }
  const isSame = differences(before, after).length === 0
  return attempt(
    [
      [refuseStale(ifMatch, before)],
      [refuseStale(body['version'], before)],
      [...refusals, ...(isSame ? [] : refuseChange(state, before, after))],
    ],
    () => ({
      ...changeEffect({ noun: 'person', after }, before, 'person.updated'),
      responseBody: responseOf(before.id),
    }),
  )
}

function refuseChange(state: RosterState, before: Person, after: Person): (Refusal | null)[] {
  const { manager_user_id: managerId } = after
  const isMoved = managerId !== before.manager_user_id
  const chart: Chart = (id) => (id === before.id ? managerId : chartOf(state)(id))
  return [
    unless(before.erased_at === null, { code: 'person_erased' }),
    ...refuseContradictions(after),
    isMoved ? refuseManager(state, managerId) : null,
    isMoved ? refuseCycle(chart, before.id) : null,
    ...(after.status === 'departed' ? [] : refuseTaken(takenValuesIn(state), after)),
  ]
}

interface Step {
  readonly to: PersonStatus
  readonly type: string
  /** The reasons to refuse the transition. */
  readonly refuse: (state: RosterState, before: Person) => readonly (Refusal | null)[]
}

/** A change of status. In the same status nothing changes. */
const transitionTo =
  ({ to, type, refuse }: Step): Rule =>
  (state, { at, body, ifMatch }) => {
    const before = state.person.get(at['user_id'] ?? '')
    if (before === undefined) return notFound
    const isCurrent = before.status === to
    return attempt(
      [[refuseStale(ifMatch, before)], isCurrent ? [] : refuse(state, before)],
      () => ({
        ...(isCurrent
          ? noEffect
          : statusEffect(state, before, { to, type, why: body['status_reason'] })),
        responseBody: responseOf(before.id),
      }),
    )
  }

interface Transition {
  readonly to: PersonStatus
  readonly type: string
  readonly why: string | null | undefined
}

/** A departed person leaves every group. */
function statusEffect({ now }: RosterState, before: Person, { to, type, why }: Transition): Effect {
  const after = {
    ...before,
    status: to,
    status_reason: why ?? null,
    status_changed_at: now,
    assignable: to === 'active',
    group_ids: to === 'departed' ? [] : before.group_ids,
    end_on: endAfter(before, type, now.slice(0, 10)),
  }
  return changeEffect({ noun: 'person', after }, before, type)
}

/** A departure sets the last day, unless it has passed, and rejoining clears it. */
function endAfter({ start_on, end_on }: Person, type: string, today: string): string | null {
  const isOver = end_on !== null && end_on <= today
  if (type === 'person.rejoined') return isOver ? null : end_on
  if (type !== 'person.departed') return end_on
  const day = isOver ? end_on : today
  return start_on !== null && start_on > day ? null : day
}

const invalidTransition = ({ status: from }: Person, to: string, allowed: string): Refusal => ({
  code: 'invalid_transition',
  from,
  to,
  allowed: [allowed],
})

const refuseDeparted = (before: Person, to: PersonStatus) =>
  unless(before.status !== 'departed', invalidTransition(before, to, 'rejoin'))

export const suspendPerson = transitionTo({
  to: 'suspended',
  type: 'person.suspended',
  refuse: (_, before) => [refuseDeparted(before, 'suspended')],
})

export const resumePerson = transitionTo({
  to: 'active',
  type: 'person.resumed',
  refuse: (_, before) => [refuseDeparted(before, 'active')],
})

export const rejoinPerson = transitionTo({
  to: 'active',
  type: 'person.rejoined',
  refuse: (state, before) =>
    before.status === 'suspended'
      ? [invalidTransition(before, 'active', 'resume')]
      : [
          unless(before.erased_at === null, { code: 'person_erased' }),
          refuseFull(state, 'people'),
          ...refuseTaken(takenValuesIn(state), before),
        ],
})

export const departPerson: Rule = (state, { at, body, ifMatch }): Outcome => {
  const before = state.person.get(at['user_id'] ?? '')
  if (before === undefined) return notFound
  const { id, group_ids, status } = before
  const open_assignments = countByType(state.assignmentsOf(id))
  const isFree = body['if_assigned'] !== 'fail' || state.assignmentsOf(id).length === 0
  const isGone = status === 'departed'
  const remaining = { open_assignments, elsewhere: false }
  const refusal: Refusal = { code: 'has_open_assignments', ...remaining }
  return attempt([[refuseStale(ifMatch, before)], [unless(isGone || isFree, refusal)]], () => {
    const why = body['status_reason']
    const person = statusEffect(state, before, { to: 'departed', type: 'person.departed', why })
    const groups = group_ids.flatMap((group) => state.group.get(group) ?? [])
    const effects = [person, ...groups.map((group) => withoutMembers(state, group, [id]))]
    return {
      items: isGone ? [] : effects.flatMap(({ items }) => items),
      events: isGone ? [] : effects.flatMap(({ events }) => events),
      responseBody: (then) => ({ person: then.person.get(id), ...remaining, planned: null }),
    }
  })
}

const erasedFields = {
  name: 'Erased person',
  email: null,
  phone: null,
  title: null,
  department: null,
  external_id: null,
  manager_user_id: null,
  time_zone: null,
  status_reason: null,
  metadata: {},
}

export const erasePerson: Rule = (state, { at, body, ifMatch }) => {
  const before = state.person.get(at['user_id'] ?? '')
  // The confirmation may be checked before or after the person is read.
  const mismatch = unless(body['confirm'] === at['user_id'], invalid('/confirm mismatch'))
  if (before === undefined) return refused({ code: 'not_found' }, ...(mismatch ? [mismatch] : []))
  const stale = refuseStale(ifMatch, before)
  const isErased = before.erased_at !== null
  const isGone = before.status === 'departed'
  return attempt(
    [
      stale ? [stale, mismatch] : [],
      [mismatch, unless(isErased || isGone, invalidTransition(before, 'erased', 'depart'))],
    ],
    () => {
      const after = { ...before, ...erasedFields, erased_at: before.erased_at ?? state.now }
      return {
        ...(isErased ? noEffect : changeEffect({ noun: 'person', after }, before, 'person.erased')),
        responseBody: responseOf(before.id),
      }
    },
  )
}
