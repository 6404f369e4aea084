import { personStatuses } from '@muster/contract'
import * as fc from 'fast-check'

import { unknownPerson } from '#test/model/projects/commands'

import { wrongZone } from './people.ts'

/**
 * A generated request with placeholders: `@person3` stands for the person with index 3 in the
 * model, `@active1` for an active one, `@report1` for one with a manager, and `@member1` for a
 * member of the group. A record with `@work` gets the type and the id of assigned work.
 */
export interface RequestTemplate {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** The index of the subject, and the person in requests about a group and a person. */
  readonly item: number
  readonly userRef: string
  /** Limits the subject to the first of all items. */
  readonly among: number
  /** Selects a subject to which the operation applies, if there is one. */
  readonly isApplicable: boolean
  /** Uses an unknown id. */
  readonly isUnknown: boolean
  /** Sends the whole current item with the changes merged in. */
  readonly isFullBody: boolean
  readonly ifMatch: 'absent' | 'current' | 'stale'
}

type Fields = Record<string, fc.Arbitrary<unknown>>

const nth = (what: string, max = 30) => fc.nat({ max }).map((n) => `@${what}${n}`)
/** Mostly an active person; sometimes another or an unknown one. */
const anyPerson = fc.oneof(
  { weight: 10, arbitrary: nth('active') },
  { weight: 6, arbitrary: nth('person') },
  { weight: 1, arbitrary: fc.constant(unknownPerson) },
)
const orNone = <T>(arbitrary: fc.Arbitrary<T>, weight = 3) =>
  fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: fc.constant(null) })
const some = <T>(arbitrary: fc.Arbitrary<T>, maxLength: number, minLength = 0) =>
  fc.array(arbitrary, { minLength, maxLength, size: 'max' })

/** Few values, so that they collide. */
const pools = {
  name: ['Ada Lund', 'ada lund', 'Bo Åkesson', 'Zoë O’Hara-Łęcka', 'Eva Öst', 'X'],
  email: [
    'ada@example.com',
    'ADA@Example.com',
    'bo@example.com',
    'zoe.ohara@example.org',
    'x@y.se',
  ],
  external: ['hr-1', 'HR-1', 'hr-2', 'hr-3', 'hr-4'],
  title: ['Engineer', 'ENGINEER', 'Ingénieur'],
  group: ['Geotechnics', 'GEOTECHNICS', 'Crane crews', 'Övrigt', 'Duty', 'Night duty', 'Board'],
  piece: ['ad', 'LUND', 'ake', 'o’hara', 'example.org', 'ost', 'absent'],
}
const metadata = fc.constantFrom({}, { badge: '1' }, { badge: '2', 'a.b': '' })
const metadataPatch = fc.constantFrom({ badge: '3' }, { badge: null }, { 'a.b': 'x', none: null })
const day = fc.constantFrom('2026-01-31', '2026-02-28', '2026-03-01')
const reason = fc.constantFrom('Leave', 'Two\nlines.', null)

const person = {
  name: fc.constantFrom(...pools.name),
  email: orNone(fc.constantFrom(...pools.email)),
  external_id: orNone(fc.constantFrom(...pools.external), 2),
  manager_user_id: orNone(anyPerson, 2),
  phone: fc.constantFrom('+46 8 1', null),
  title: orNone(fc.constantFrom(...pools.title)),
  department: fc.constantFrom('Civil works', null),
  time_zone: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('Europe/Stockholm', null) },
    { weight: 1, arbitrary: fc.constant(wrongZone) },
  ),
  start_on: orNone(day),
  end_on: orNone(day),
}
const personChange = { ...person, status_reason: reason }
/** Fields that are read-only. */
const readOnlyFields = {
  status: fc.constantFrom(...personStatuses),
  group_ids: fc.constant([]),
  assignable: fc.boolean(),
  version: fc.constant(1),
}

const given = (required: Fields, others: Fields) =>
  fc.record({ ...required, ...others }, { requiredKeys: Object.keys(required) })

/** One to three of these fields: more would rarely be valid together. */
function few(fields: Fields, minLength = 1) {
  const names = Object.keys(fields)
  const maxLength = Math.min(names.length, 3)
  const chosen = (among: readonly string[]) =>
    fc.record(Object.fromEntries(Object.entries(fields).filter(([name]) => among.includes(name))))
  return fc.subarray(names, { minLength, maxLength }).chain(chosen)
}

const patch = (fields: Fields, others: Fields) =>
  fc.oneof(
    { weight: 8, arbitrary: few(fields) },
    { weight: 1, arbitrary: fc.tuple(few(fields), few(others)).map(([a, b]) => ({ ...a, ...b })) },
  )

/** Values that are unique on the roster. */
const unique = { email: person.email, external_id: person.external_id }

const rowOf = (weight: number, one: fc.Arbitrary<object>, others: fc.Arbitrary<object>) => ({
  weight,
  arbitrary: fc.tuple(one, others).map(([first, rest]) => ({ ...first, ...rest })),
})

const personFields = few({ ...person, metadata }, 0)
const named = fc.record({ name: person.name })
const known = patch({ ...personChange, metadata }, readOnlyFields)

/** Rows with unique values. */
const conflictingRows = [
  rowOf(4, named, few(unique)),
  rowOf(4, fc.record({ id: anyPerson }), few(unique)),
]

/** A new person, a change, a whole existing person, and the same without the id. */
const row = fc.oneof(
  ...conflictingRows,
  rowOf(1, fc.constant({}), personFields),
  rowOf(5, named, personFields),
  rowOf(8, fc.record({ id: anyPerson }), known),
  rowOf(4, fc.record({ '@whole': nth('person') }), few(personChange, 0)),
  rowOf(2, fc.record({ '@copied': nth('person') }), few(person, 0)),
)

/** A group with members, and leads who mostly are members. */
const newGroup = fc
  .record({
    name: fc.constantFrom(...pools.group),
    members: some(anyPerson, 4),
    leads: fc.nat({ max: 3 }),
    strangers: some(anyPerson, 1),
  })
  .map(({ name, members, leads, strangers }) => ({
    name,
    member_user_ids: members,
    lead_user_ids: [...members.slice(0, leads), ...(leads === 3 ? strangers : [])],
  }))

const group = {
  name: fc.constantFrom(...pools.group),
  description: fc.constantFrom('Those who lift.', null),
  lead_user_ids: some(
    fc.oneof({ weight: 6, arbitrary: nth('member') }, { weight: 1, arbitrary: nth('person') }),
    2,
  ),
  metadata: metadataPatch,
}

const listed = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  {
    weight: 5,
    arbitrary: few({
      status: fc.constantFrom('departed', 'suspended', personStatuses.join(',')),
      user_id: some(nth('person'), 3, 1),
      group_id: some(nth('group'), 2, 1),
      manager_user_id: some(fc.oneof(nth('person'), fc.constant('none')), 2, 1),
      title: fc.constantFrom(...pools.title, 'none'),
      department: fc.constantFrom('civil WORKS', 'none'),
      q: fc.constantFrom(...pools.piece),
      sort: fc.constantFrom('name', '-name', 'updated_at', '-updated_at', '-created_at'),
      limit: fc.constantFrom('1', '2', '3'),
      include: fc.constant('total_count'),
    }),
  },
)

const groupsListed = few(
  {
    status: fc.constantFrom('archived', 'active,archived'),
    q: fc.constantFrom('duty', 'OVRIGT', 'crane'),
    sort: fc.constantFrom('name', '-name', '-updated_at'),
    limit: fc.constantFrom('1', '2'),
    include: fc.constant('total_count'),
  },
  0,
)

const paged = few({ limit: fc.constantFrom('1', '3'), include: fc.constant('total_count') }, 0)

const rating = fc.integer({ min: 1, max: 5 })
const assignee = orNone(anyPerson, 15)
const emptyObject = fc.constant({})

type Anything = fc.Arbitrary<Readonly<Record<string, unknown>>>

type WeightedTemplate = [name: string, weight: number, body: Anything, query?: Anything]

/** Changes of managers. Two concurrent changes can form a cycle. */
const manager = orNone(
  fc.oneof({ weight: 2, arbitrary: nth('report') }, { weight: 1, arbitrary: anyPerson }),
  9,
)
const reports: WeightedTemplate = ['personnel.update', 8, fc.record({ manager_user_id: manager })]

/** Operation, weight, body and query of each request. */
const templates: WeightedTemplate[] = [
  ['personnel.create', 10, given({ name: person.name }, { ...person, metadata })],
  ['personnel.batch', 5, fc.record({ data: some(row, 4, 1) })],
  ['personnel.batch', 5, fc.record({ data: some(fc.oneof(...conflictingRows), 4, 2) })],
  ['personnel.update', 10, patch({ ...personChange, metadata: metadataPatch }, readOnlyFields)],
  ['personnel.update', 6, few(unique)],
  reports,
  ['personnel.suspend', 5, given({}, { status_reason: reason })],
  ['personnel.resume', 5, given({}, { status_reason: reason })],
  [
    'personnel.depart',
    5,
    given({}, { status_reason: reason, if_assigned: fc.constantFrom('keep', 'fail') }),
  ],
  ['personnel.rejoin', 7, given({}, { status_reason: reason })],
  [
    'personnel.erase',
    2,
    fc.record({ confirm: fc.constantFrom('@self', '@self', '@self', '@self', '@person0') }),
  ],
  [
    'personnel.reassign',
    5,
    given({ to_user_id: anyPerson }, { project_id: fc.constantFrom('@project0', '@project1') }),
  ],
  [
    'personnel.reassign',
    5,
    fc.record({
      items: some(fc.record({ '@work': fc.nat({ max: 30 }), to_user_id: anyPerson }), 3, 1),
    }),
  ],
  ['groups.create', 6, newGroup],
  ['groups.update', 8, patch(group, { member_count: fc.constant(99), version: fc.constant(1) })],
  ['groups.archive', 3, emptyObject],
  ['groups.restore', 6, emptyObject],
  [
    'groups.change_members',
    7,
    given({}, { add: some(anyPerson, 3), remove: some(nth('member'), 2) }),
  ],
  ['groups.add_member', 9, emptyObject],
  ['groups.remove_member', 6, emptyObject],
  [
    'risks.create',
    3,
    fc.record({
      title: fc.constant('Uplift'),
      likelihood: rating,
      impact: rating,
      owner_user_id: assignee,
    }),
  ],
  [
    'issues.create',
    2,
    fc.record({ title: fc.constant('Crane'), severity: rating, assignee_user_id: assignee }),
  ],
  [
    'tasks.create',
    4,
    fc.record({ title: fc.constant('Flush'), due_on: orNone(day), assignee_user_id: assignee }),
  ],
  ['personnel.list', 5, emptyObject, listed],
  ['personnel.view', 1, emptyObject],
  ['personnel.assignments', 3, emptyObject, paged],
  ['groups.list', 3, emptyObject, groupsListed],
  ['groups.view', 1, emptyObject],
  ['groups.members', 2, emptyObject, paged],
]

const rarely = (weight: number) => fc.integer({ min: 0, max: weight }).map((n) => n === weight)

const templateOf = ([
  name,
  ,
  body,
  query = emptyObject,
]: WeightedTemplate): fc.Arbitrary<RequestTemplate> =>
  fc.record({
    name: fc.constant(name),
    body,
    query,
    item: fc.nat({ max: 30 }),
    isApplicable: rarely(3).map((isOdd) => !isOdd),
    userRef: name === 'groups.remove_member' ? nth('member') : anyPerson,
    among: fc.constant(30),
    isUnknown: rarely(15),
    isFullBody: name.endsWith('.update') ? rarely(4) : fc.constant(false),
    ifMatch: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom('absent' as const, 'absent', 'current') },
      { weight: 1, arbitrary: fc.constant('stale' as const) },
    ),
  })

/** Any of these requests, by weight. */
const anyOf = (selected: readonly WeightedTemplate[]) =>
  fc.oneof(
    ...selected.map((template) => ({ weight: template[1], arbitrary: templateOf(template) })),
  )

export const arbitraryTemplate: fc.Arbitrary<RequestTemplate> = anyOf(templates)

const matching = (names: RegExp) => templates.filter(([name]) => names.test(name))

/** Groups of requests that conflict: managers, memberships, unique values, assignments. */
const conflicts = [
  { selected: templates, among: 4 },
  { selected: [reports], among: 4 },
  { selected: matching(/member|groups\.(update|archive|restore)|depart/), among: 2 },
  { selected: matching(/(personnel|groups)\.(create|update|restore|rejoin|batch)/), among: 5 },
  { selected: matching(/^(risks|issues|tasks)|depart|reassign|assignments|suspend/), among: 2 },
  { selected: matching(/depart|rejoin|erase|suspend|resume|list|members$/), among: 5 },
]

/** Concurrent requests about few items, which mostly conflict. */
export const arbitraryBatch: fc.Arbitrary<RequestTemplate[]> = fc
  .constantFrom(...conflicts)
  .chain(({ selected, among }) =>
    fc.array(
      anyOf(selected).map((template) => ({ ...template, among })),
      { minLength: 2, maxLength: 8, size: 'max' },
    ),
  )
