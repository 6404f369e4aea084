import type {
  Assignment,
  Departure,
  Handover,
  NewPerson,
  Person,
  PersonPatch,
} from '@muster/contract'

import { type Mutation, runMutation } from '#data/change/mutation.ts'
import { resource, withToast } from '#data/change/resource.ts'
import { client } from '#data/client.ts'
import { invalidate } from '#data/query-client.ts'
import { showError, showSuccess } from '#kit/feedback/toast.tsx'
import { today } from '#text/dates.ts'
import { formatNearDay } from '#text/due.ts'
import { t } from '#text/index.ts'

import { withPersonNames } from './problems.ts'
import { type PersonRef, toParams } from './queries.ts'

const people = resource<Person, PersonRef, PersonPatch>({
  noun: 'personnel',
  invalidates: ['personnel', 'groups'],
  view: (ref, options) => client.personnel.view({ params: toParams(ref) }, options),
  update: (person, body, ifMatch) =>
    client.personnel.update({ params: toParams(person), body }, { ifMatch }),
})

export const personQuery = people.query

/** The nouns whose data names an owner or an assignee. */
const workNouns = ['projects', 'risks', 'issues', 'tasks'] as const

export async function addPerson(body: NewPerson): Promise<Person> {
  const person = await withPersonNames(client.personnel.create({ body }))
  return people.created(person, t('people.added', { name: person.name }))
}

/** Returns null and sends nothing if no field changed. */
export const editPerson = (person: Person, wanted: PersonPatch) =>
  withPersonNames(people.edit(person, wanted, t('record.edited', { name: person.name })))

export const savePerson = (person: Person, wanted: PersonPatch) =>
  withToast(editPerson(person, wanted))

/** Changes a person. A problem names people instead of their ids. */
const change = <R>(mutation: Mutation<Person, R>) => withPersonNames(runMutation(mutation))

interface Reason {
  readonly status_reason: string | null
}

const { suspend, resume, rejoin, depart } = client.personnel

/** Each change of the status, with the one that undoes it. */
const statusChanges = {
  suspend: { send: suspend, undo: resume, status: 'suspended', done: 'person.suspended' },
  resume: { send: resume, undo: suspend, status: 'active', done: 'person.resumed' },
  // A person rejoins without groups, so departing again restores the previous state.
  rejoin: { send: rejoin, undo: depart, status: 'active', done: 'person.rejoined' },
} as const

export type StatusVerb = keyof typeof statusChanges

export function changeStatus(person: Person, verb: StatusVerb, body: Reason) {
  const { send, undo, status, done } = statusChanges[verb]
  const params = toParams(person)
  return change({
    ...people.base(person),
    optimistic: { status, assignable: status === 'active', ...body },
    send: (ifMatch) => send({ params, body }, { ifMatch }),
    successMessage: t(done, { name: person.name }),
    undo: ({ version }, { status_reason }) =>
      undo({ params, body: { status_reason } }, { ifMatch: version }),
  })
}

/** An item of work and its new owner or assignee. */
export interface HandoverLine {
  readonly item: Assignment
  readonly to_user_id: string
}

/** The result to show: what was reassigned, and what remained at departure. */
export interface HandoverResult {
  readonly lines: readonly HandoverLine[]
  readonly departure: Departure | null
}

interface DepartInput extends Reason {
  /** The day to plan the departure for; null to depart at once. */
  readonly departs_on: string | null
  /** The work that is handed over with the departure. */
  readonly lines: readonly HandoverLine[]
  readonly if_assigned: 'keep' | 'fail'
  readonly onResult: (result: HandoverResult) => void
}

export function departPerson(person: Person, input: DepartInput) {
  const params = toParams(person)
  const base = people.base(person)
  const { lines, if_assigned, status_reason, departs_on, onResult } = input
  const { name } = person
  const isPlanned = departs_on !== null
  const body = {
    status_reason,
    if_assigned,
    ...(isPlanned && { departs_on }),
    ...(lines.length > 0 && { handover: bodyOf(lines) }),
  }
  return change({
    ...base,
    invalidates: [...base.invalidates, ...workNouns],
    optimistic: isPlanned ? {} : { status: 'departed', status_reason },
    send: async (ifMatch) => {
      const departure = await client.personnel.depart({ params, body }, { ifMatch })
      onResult({ lines, departure })
      return departure
    },
    successMessage: isPlanned
      ? t('departure.planned', { name, day: formatNearDay(departs_on) })
      : t('person.departed', { name }),
  })
}

/** Undo plans it again. A day that has passed cannot be planned. */
export async function cancelDeparture(person: Person): Promise<void> {
  const { name } = person
  const params = toParams(person)
  try {
    const plan = await client.departures.cancel({ params })
    const { departs_on, status_reason, if_assigned, handover } = plan
    const body = { departs_on, status_reason, if_assigned, ...(handover && { handover }) }
    const undo = async () => {
      await client.personnel.depart({ params, body }).catch(showError)
      await invalidate('personnel')
    }
    showSuccess(t('departure.cancelled', { name }), departs_on > today() ? undo : undefined)
  } catch (error) {
    showError(error)
  } finally {
    await invalidate('personnel')
  }
}

const bodyOf = (lines: readonly HandoverLine[]) => ({
  items: lines.map(({ item: { type, id }, to_user_id }) => ({ type, id, to_user_id })),
})

export function handOverWork(
  person: Person,
  lines: readonly HandoverLine[],
): Promise<Handover | null> {
  const params = toParams(person)
  return change({
    ...people.base(person),
    invalidates: ['personnel', ...workNouns],
    send: (ifMatch) => client.personnel.reassign({ params, body: bodyOf(lines) }, { ifMatch }),
    successMessage: t('person.reassigned', { name: person.name }),
  })
}

export function erasePerson(person: Person) {
  const params = toParams(person)
  const body = { confirm: person.id }
  return change({
    ...people.base(person),
    send: (ifMatch) => client.personnel.erase({ params, body }, { ifMatch }),
    successMessage: t('person.erased'),
  })
}
