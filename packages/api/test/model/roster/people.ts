import type { Person, PersonStatus } from '@muster/contract'

import { patchedMap } from './model.ts'
import { left } from './roster-model-members.ts'
import { countHeld } from './roster-model-work.ts'
import {
  attempt,
  type Command,
  differences,
  type Effect,
  invalid,
  missing,
  nothing,
  type Outcome,
  readPatch,
  type Refusal,
  refused,
  refuseFull,
  refuseStale,
  type Roster,
  type Rule,
  saved,
  unless,
} from './roster-model.ts'

export function newPerson({ now }: Roster, body: Command['body'], id: string): Person {
  // The cast holds because the body has a name, and all else has a value here.
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

/** Who will report to whom. */
export type Chart = (userId: string) => string | null

export const chartOf =
  ({ person }: Roster): Chart =>
  (userId) =>
    person.get(userId)?.manager_user_id ?? null

const pointer = '/manager_user_id'

export function refuseManager({ person }: Roster, managerId: string | null): Refusal | null {
  if (managerId === null) return null
  const manager = person.get(managerId)
  if (manager === undefined) return { code: 'unknown_reference', pointer }
  return unless(manager.status !== 'departed', { code: 'not_on_roster', pointer })
}

/** Nobody reports to someone who reports to them. */
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

/** Who on the roster has which email, whatever its letter case, and which external id. */
export interface Holders {
  readonly emails: Map<string, string>
  readonly externalIds: Map<string, string>
}

export function holdersIn({ onRoster }: Roster): Holders {
  const holders = { emails: new Map<string, string>(), externalIds: new Map<string, string>() }
  for (const person of onRoster) claim(holders, person)
  return holders
}

export function claim({ emails, externalIds }: Holders, person: Person): void {
  const { id, email, external_id } = person
  if (email !== null) emails.set(email.toLowerCase(), id)
  if (external_id !== null) externalIds.set(external_id, id)
}

export function refuseTaken({ emails, externalIds }: Holders, person: Person): (Refusal | null)[] {
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

const answerOf = (id: string) => (then: Roster) => then.person.get(id)

export const createPerson: Rule = (world, { body }, heard) => {
  const after = newPerson(world, body, heard.body?.id ?? '')
  const refusals = [
    refuseFull(world, 'people'),
    refuseManager(world, after.manager_user_id),
    ...refuseContradictions(after),
    ...refuseTaken(holdersIn(world), after),
  ]
  return attempt([refusals], () => ({
    things: [{ noun: 'person', after }],
    events: [{ type: 'person.created', subject: after.id, changed: Object.keys(body) }],
    answer: answerOf(after.id),
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

export const updatePerson: Rule = (world, { at, body, onlyIf }) => {
  const before = world.person.get(at['user_id'] ?? '')
  if (before === undefined) return missing
  const { fields, refusals } = readPatch(before, body, writable)
  const metadata = patchedMap(before.metadata, body['metadata'])
  const after = { ...before, ...fields, metadata }
  const isSame = differences(before, after).length === 0
  return attempt(
    [
      [refuseStale(onlyIf, before)],
      [refuseStale(body['version'], before)],
      [...refusals, ...(isSame ? [] : refuseChange(world, before, after))],
    ],
    () => ({
      ...saved({ noun: 'person', after }, before, 'person.updated'),
      answer: answerOf(before.id),
    }),
  )
}

function refuseChange(world: Roster, before: Person, after: Person): (Refusal | null)[] {
  const { manager_user_id: managerId } = after
  const isMoved = managerId !== before.manager_user_id
  const chart: Chart = (id) => (id === before.id ? managerId : chartOf(world)(id))
  return [
    unless(before.erased_at === null, { code: 'person_erased' }),
    ...refuseContradictions(after),
    isMoved ? refuseManager(world, managerId) : null,
    isMoved ? refuseCycle(chart, before.id) : null,
    ...(after.status === 'departed' ? [] : refuseTaken(holdersIn(world), after)),
  ]
}

interface Step {
  readonly to: PersonStatus
  readonly type: string
  /** Why it cannot be done in this status. */
  readonly refuse: (world: Roster, before: Person) => readonly (Refusal | null)[]
}

/** A change of status. One that already holds changes nothing. */
const stepTo =
  ({ to, type, refuse }: Step): Rule =>
  (world, { at, body, onlyIf }) => {
    const before = world.person.get(at['user_id'] ?? '')
    if (before === undefined) return missing
    const isSo = before.status === to
    return attempt([[refuseStale(onlyIf, before)], isSo ? [] : refuse(world, before)], () => ({
      ...(isSo ? nothing : stepped(world, before, { to, type, why: body['status_reason'] })),
      answer: answerOf(before.id),
    }))
  }

interface Stepping {
  readonly to: PersonStatus
  readonly type: string
  readonly why: string | null | undefined
}

/** Whoever departs leaves every group. */
function stepped({ now }: Roster, before: Person, { to, type, why }: Stepping): Effect {
  const after = {
    ...before,
    status: to,
    status_reason: why ?? null,
    status_changed_at: now,
    assignable: to === 'active',
    group_ids: to === 'departed' ? [] : before.group_ids,
  }
  return saved({ noun: 'person', after }, before, type)
}

const impossible = ({ status: from }: Person, to: string, allowed: string): Refusal => ({
  code: 'invalid_transition',
  from,
  to,
  allowed: [allowed],
})

const hasLeft = (before: Person, to: PersonStatus) =>
  unless(before.status !== 'departed', impossible(before, to, 'rejoin'))

export const suspendPerson = stepTo({
  to: 'suspended',
  type: 'person.suspended',
  refuse: (_, before) => [hasLeft(before, 'suspended')],
})

export const resumePerson = stepTo({
  to: 'active',
  type: 'person.resumed',
  refuse: (_, before) => [hasLeft(before, 'active')],
})

export const rejoinPerson = stepTo({
  to: 'active',
  type: 'person.rejoined',
  refuse: (world, before) =>
    before.status === 'suspended'
      ? [impossible(before, 'active', 'resume')]
      : [
          unless(before.erased_at === null, { code: 'person_erased' }),
          refuseFull(world, 'people'),
          ...refuseTaken(holdersIn(world), before),
        ],
})

export const departPerson: Rule = (world, { at, body, onlyIf }): Outcome => {
  const before = world.person.get(at['user_id'] ?? '')
  if (before === undefined) return missing
  const { id, group_ids, status } = before
  const open_assignments = countHeld(world.heldBy(id))
  const isFree = body['if_assigned'] !== 'fail' || world.heldBy(id).length === 0
  const isGone = status === 'departed'
  const refusal: Refusal = { code: 'has_open_assignments', open_assignments }
  return attempt([[refuseStale(onlyIf, before)], [unless(isGone || isFree, refusal)]], () => {
    const why = body['status_reason']
    const person = stepped(world, before, { to: 'departed', type: 'person.departed', why })
    const groups = group_ids.flatMap((group) => world.group.get(group) ?? [])
    const effects = [person, ...groups.map((group) => left(world, group, [id]))]
    return {
      things: isGone ? [] : effects.flatMap(({ things }) => things),
      events: isGone ? [] : effects.flatMap(({ events }) => events),
      answer: (then) => ({ person: then.person.get(id), open_assignments }),
    }
  })
}

const blank = {
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

export const erasePerson: Rule = (world, { at, body, onlyIf }) => {
  const before = world.person.get(at['user_id'] ?? '')
  // Whether this is meant can be told before anything is known of the person, or after.
  const mismatch = unless(body['confirm'] === at['user_id'], invalid('/confirm mismatch'))
  if (before === undefined) return refused({ code: 'not_found' }, ...(mismatch ? [mismatch] : []))
  const stale = refuseStale(onlyIf, before)
  const isErased = before.erased_at !== null
  const isGone = before.status === 'departed'
  return attempt(
    [
      stale ? [stale, mismatch] : [],
      [mismatch, unless(isErased || isGone, impossible(before, 'erased', 'depart'))],
    ],
    () => {
      const after = { ...before, ...blank, erased_at: before.erased_at ?? world.now }
      return {
        ...(isErased ? nothing : saved({ noun: 'person', after }, before, 'person.erased')),
        answer: answerOf(before.id),
      }
    },
  )
}
