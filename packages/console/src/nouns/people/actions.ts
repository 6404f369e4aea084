import type {
  Assignment,
  Departure,
  Handover,
  NewPerson,
  Person,
  PersonPatch,
} from '@muster/contract'

import { previousValues } from '#data/change/changes.ts'
import { type Mutation, runMutation } from '#data/change/mutation.ts'
import { client } from '#data/client.ts'
import { invalidate } from '#data/query-client.ts'
import { showError, showSuccess } from '#kit/feedback/toast.tsx'
import { today } from '#text/dates.ts'
import { formatNearDay } from '#text/due.ts'
import { t } from '#text/index.ts'

import { withPersonNames } from './problems.ts'
import { personKey } from './queries.ts'

/** The parts that all mutations of a person share. */
const personMutation = (person: Person) => {
  const params = { user_id: person.id }
  return {
    params,
    base: {
      resource: person,
      queryKey: personKey(person.id),
      fetchLatest: () => client.personnel.view({ params }),
      invalidates: ['personnel', 'groups'],
    } as const satisfies Partial<Mutation<Person, unknown>>,
  }
}

/** The nouns whose data names an owner or an assignee. */
const workNouns = ['projects', 'risks', 'issues', 'tasks'] as const

export async function addPerson(body: NewPerson): Promise<Person> {
  const person = await withPersonNames(client.personnel.create({ body }))
  showSuccess(t('people.added', { name: person.name }))
  await invalidate('personnel')
  return person
}

type PersonUpdate = Partial<Omit<Person, 'metadata'>> & Omit<PersonPatch, 'metadata'>

export function changePerson(person: Person, body: PersonUpdate) {
  const { params, base } = personMutation(person)
  return withPersonNames(
    runMutation({
      ...base,
      optimistic: body,
      send: (ifMatch) => client.personnel.update({ params, body }, { ifMatch }),
      successMessage: t('person.edited', { name: person.name }),
      undo: ({ version }, before) =>
        client.personnel.update(
          { params, body: previousValues(before, body) },
          { ifMatch: version },
        ),
    }),
  )
}

interface Reason {
  readonly status_reason: string | null
}

export function suspendPerson(person: Person, body: Reason) {
  const { params, base } = personMutation(person)
  return withPersonNames(
    runMutation({
      ...base,
      optimistic: { status: 'suspended', assignable: false, ...body },
      send: (ifMatch) => client.personnel.suspend({ params, body }, { ifMatch }),
      successMessage: t('person.suspended', { name: person.name }),
      undo: ({ version }, before) =>
        client.personnel.resume({ params, body: reasonOf(before) }, { ifMatch: version }),
    }),
  )
}

export function resumePerson(person: Person, body: Reason) {
  const { params, base } = personMutation(person)
  return withPersonNames(
    runMutation({
      ...base,
      optimistic: { status: 'active', assignable: true, ...body },
      send: (ifMatch) => client.personnel.resume({ params, body }, { ifMatch }),
      successMessage: t('person.resumed', { name: person.name }),
      undo: ({ version }, before) =>
        client.personnel.suspend({ params, body: reasonOf(before) }, { ifMatch: version }),
    }),
  )
}

/** A person rejoins without groups, so departing again restores the previous state. */
export function rejoinPerson(person: Person, body: Reason) {
  const { params, base } = personMutation(person)
  return withPersonNames(
    runMutation({
      ...base,
      optimistic: { status: 'active', assignable: true, ...body },
      send: (ifMatch) => client.personnel.rejoin({ params, body }, { ifMatch }),
      successMessage: t('person.rejoined', { name: person.name }),
      undo: ({ version }, before) =>
        client.personnel.depart({ params, body: reasonOf(before) }, { ifMatch: version }),
    }),
  )
}

const reasonOf = ({ status_reason }: Person): Reason => ({ status_reason })

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
  const { params, base } = personMutation(person)
  const { lines, if_assigned, status_reason, departs_on, onResult } = input
  const { name } = person
  const isPlanned = departs_on !== null
  const body = {
    status_reason,
    if_assigned,
    ...(isPlanned && { departs_on }),
    ...(lines.length > 0 && { handover: bodyOf(lines) }),
  }
  return withPersonNames(
    runMutation({
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
    }),
  )
}

/** Undo plans it again. A day that has passed cannot be planned. */
export async function cancelDeparture({ id: user_id, name }: Person): Promise<void> {
  const params = { user_id }
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
  const { params, base } = personMutation(person)
  return withPersonNames(
    runMutation<Person, Handover>({
      ...base,
      invalidates: ['personnel', ...workNouns],
      send: (ifMatch) => client.personnel.reassign({ params, body: bodyOf(lines) }, { ifMatch }),
      successMessage: t('person.reassigned', { name: person.name }),
    }),
  )
}

export function erasePerson(person: Person) {
  const { params, base } = personMutation(person)
  return withPersonNames(
    runMutation({
      ...base,
      send: (ifMatch) =>
        client.personnel.erase({ params, body: { confirm: person.id } }, { ifMatch }),
      successMessage: t('person.erased'),
    }),
  )
}
