import type { Departure, Handover, NewPerson, Person, PersonPatch } from '@muster/contract'

import { refresh } from '#api/cache.ts'
import { client } from '#api/client.ts'
import { t } from '#text/index.ts'
import { act, type Act } from '#ui/act.ts'
import { asBefore } from '#ui/changes.ts'
import { sayDone } from '#ui/toast.tsx'

import { withNames } from './problems.ts'
import { personKey } from './queries.ts'

/** What all that is done to a person has in common. */
const onPerson = (person: Person) => {
  const params = { user_id: person.id }
  return {
    params,
    common: {
      thing: person,
      key: personKey(person.id),
      view: () => client.personnel.view({ params }),
      touches: ['personnel', 'groups'],
    } as const satisfies Partial<Act<Person, unknown>>,
  }
}

/** Where else it shows whose something is. */
const work = ['projects', 'risks', 'issues', 'tasks'] as const

export async function addPerson(body: NewPerson): Promise<Person> {
  const person = await withNames(client.personnel.create({ body }))
  sayDone(t('people.added', { name: person.name }))
  await refresh('personnel')
  return person
}

type Said = Partial<Omit<Person, 'metadata'>> & Omit<PersonPatch, 'metadata'>

export function changePerson(person: Person, body: Said) {
  const { params, common } = onPerson(person)
  return withNames(
    act({
      ...common,
      expected: body,
      send: (ifMatch) => client.personnel.update({ params, body }, { ifMatch }),
      says: t('person.edited', { name: person.name }),
      undo: ({ version }, before) =>
        client.personnel.update({ params, body: asBefore(before, body) }, { ifMatch: version }),
    }),
  )
}

interface Reason {
  readonly status_reason: string | null
}

export function suspendPerson(person: Person, body: Reason) {
  const { params, common } = onPerson(person)
  return withNames(
    act({
      ...common,
      expected: { status: 'suspended', assignable: false, ...body },
      send: (ifMatch) => client.personnel.suspend({ params, body }, { ifMatch }),
      says: t('person.suspended', { name: person.name }),
      undo: ({ version }, before) =>
        client.personnel.resume({ params, body: reasonOf(before) }, { ifMatch: version }),
    }),
  )
}

export function resumePerson(person: Person, body: Reason) {
  const { params, common } = onPerson(person)
  return withNames(
    act({
      ...common,
      expected: { status: 'active', assignable: true, ...body },
      send: (ifMatch) => client.personnel.resume({ params, body }, { ifMatch }),
      says: t('person.resumed', { name: person.name }),
      undo: ({ version }, before) =>
        client.personnel.suspend({ params, body: reasonOf(before) }, { ifMatch: version }),
    }),
  )
}

/** Whoever comes back is in no group, so that leaving again is all there is to take back. */
export function rejoinPerson(person: Person, body: Reason) {
  const { params, common } = onPerson(person)
  return withNames(
    act({
      ...common,
      expected: { status: 'active', assignable: true, ...body },
      send: (ifMatch) => client.personnel.rejoin({ params, body }, { ifMatch }),
      says: t('person.rejoined', { name: person.name }),
      undo: ({ version }, before) =>
        client.personnel.depart({ params, body: reasonOf(before) }, { ifMatch: version }),
    }),
  )
}

const reasonOf = ({ status_reason }: Person): Reason => ({ status_reason })

/** What was done, to be shown: what went to whom, and what stayed when they left. */
export interface Done {
  readonly handover: Handover | null
  readonly departure: Departure | null
}

interface Departing extends Reason {
  /** Who takes over what they hold, before they leave. */
  readonly heir: string | null
  readonly if_assigned: 'keep' | 'fail'
  /** Told step by step: what was handed over stays so, even if the departure is refused. */
  readonly onDone: (done: Done) => void
}

export function departPerson(person: Person, wish: Departing) {
  const { params, common } = onPerson(person)
  const { heir, if_assigned, status_reason, onDone } = wish
  let handover: Handover | null = null
  return withNames(
    act({
      ...common,
      touches: [...common.touches, ...work],
      expected: { status: 'departed', status_reason },
      send: async (ifMatch) => {
        if (heir !== null && handover === null) {
          const body = { to_user_id: heir }
          handover = await client.personnel.reassign({ params, body }, { ifMatch })
          onDone({ handover, departure: null })
        }
        const body = { status_reason, if_assigned }
        const departure = await client.personnel.depart({ params, body }, { ifMatch })
        onDone({ handover, departure })
        return departure
      },
      says: t('person.departed', { name: person.name }),
    }),
  )
}

interface HandingOver {
  readonly to_user_id: string
  readonly project_id?: string
}

export function reassignWork(person: Person, body: HandingOver) {
  const { params, common } = onPerson(person)
  return withNames(
    act({
      ...common,
      touches: ['personnel', ...work],
      send: (ifMatch) => client.personnel.reassign({ params, body }, { ifMatch }),
      says: t('person.reassigned', { name: person.name }),
    }),
  )
}

export function erasePerson(person: Person) {
  const { params, common } = onPerson(person)
  return withNames(
    act({
      ...common,
      send: (ifMatch) =>
        client.personnel.erase({ params, body: { confirm: person.id } }, { ifMatch }),
      says: t('person.erased'),
    }),
  )
}
