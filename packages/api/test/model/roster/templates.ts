import { personStatuses } from '@muster/contract'
import * as fc from 'fast-check'

import { unknownPerson } from './model-commands.ts'
import { wrongZone } from './roster-model-people.ts'

/**
 * A request as chance makes it up, before it is known what there is. `@person3` stands for the
 * third person there is by then, `@active1` for someone who is active, `@report1` for
 * someone who reports to someone, and `@member1` for one in the group it is about.
 */
export interface Wish {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** What it is about, and the person where it is about a group and a person. */
  readonly item: number
  readonly whom: string
  /** How many of all there are it may be about. */
  readonly among: number
  /** Is asked of something that it can be done to, if there is any. */
  readonly isApt: boolean
  /** Asks for something that is not there. */
  readonly isAstray: boolean
  /** Sends the whole thing back, as it was last read, with what is to be changed in it. */
  readonly isWhole: boolean
  readonly onlyIf: 'unsaid' | 'right' | 'wrong'
}

type Fields = Record<string, fc.Arbitrary<unknown>>

const nth = (what: string, max = 30) => fc.nat({ max }).map((n) => `@${what}${n}`)
/** Mostly someone who is active; now and then someone who is not, or whom nobody knows. */
const someone = fc.oneof(
  { weight: 10, arbitrary: nth('active') },
  { weight: 6, arbitrary: nth('person') },
  { weight: 1, arbitrary: fc.constant(unknownPerson) },
)
const orNone = <T>(arbitrary: fc.Arbitrary<T>, weight = 3) =>
  fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: fc.constant(null) })
const some = <T>(arbitrary: fc.Arbitrary<T>, maxLength: number, minLength = 0) =>
  fc.array(arbitrary, { minLength, maxLength, size: 'max' })

/** Few of each, so that they collide. */
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
  piece: ['ad', 'LUND', 'ake', 'o’hara', 'example.org', 'ost', 'nobody'],
}
const metadata = fc.constantFrom({}, { badge: '1' }, { badge: '2', 'a.b': '' })
const metadataPatch = fc.constantFrom({ badge: '3' }, { badge: null }, { 'a.b': 'x', none: null })
const day = fc.constantFrom('2026-01-31', '2026-02-28', '2026-03-01')
const reason = fc.constantFrom('Leave', 'Two\nlines.', null)

const person = {
  name: fc.constantFrom(...pools.name),
  email: orNone(fc.constantFrom(...pools.email)),
  external_id: orNone(fc.constantFrom(...pools.external), 2),
  manager_user_id: orNone(someone, 2),
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
/** What is not for the caller to set. */
const personGiven = {
  status: fc.constantFrom(...personStatuses),
  group_ids: fc.constant([]),
  assignable: fc.boolean(),
  version: fc.constant(1),
}

const given = (required: Fields, others: Fields) =>
  fc.record({ ...required, ...others }, { requiredKeys: Object.keys(required) })

/** One to three of these fields: more would seldom be possible all at once. */
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

/** What only one on the roster can have. */
const unique = { email: person.email, external_id: person.external_id }

const rowOf = (weight: number, one: fc.Arbitrary<object>, others: fc.Arbitrary<object>) => ({
  weight,
  arbitrary: fc.tuple(one, others).map(([first, rest]) => ({ ...first, ...rest })),
})

const personFields = few({ ...person, metadata }, 0)
const named = fc.record({ name: person.name })
const known = patch({ ...personChange, metadata }, personGiven)

/** Rows that want what only one can have. */
const rivals = [rowOf(4, named, few(unique)), rowOf(4, fc.record({ id: someone }), few(unique))]

/** A new person, a change, all that is known of someone, and the same without the id. */
const row = fc.oneof(
  ...rivals,
  rowOf(1, fc.constant({}), personFields),
  rowOf(5, named, personFields),
  rowOf(8, fc.record({ id: someone }), known),
  rowOf(4, fc.record({ '@whole': nth('person') }), few(personChange, 0)),
  rowOf(2, fc.record({ '@copied': nth('person') }), few(person, 0)),
)

/** A group with people, and those of them who lead: mostly some of them. */
const newGroup = fc
  .record({
    name: fc.constantFrom(...pools.group),
    members: some(someone, 4),
    leads: fc.nat({ max: 3 }),
    strangers: some(someone, 1),
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
const worker = orNone(someone, 15)
const nothing = fc.constant({})

type Anything = fc.Arbitrary<Readonly<Record<string, unknown>>>

type Weighed = [name: string, weight: number, body: Anything, query?: Anything]

/**
 * Who reports to whom. Two who report to nobody, and at once to someone under the other, would make
 * a circle.
 */
const manager = orNone(
  fc.oneof({ weight: 2, arbitrary: nth('report') }, { weight: 1, arbitrary: someone }),
  9,
)
const reports: Weighed = ['personnel.update', 8, fc.record({ manager_user_id: manager })]

/** How often each is asked for, with what, and which part of the list. */
const wishes: Weighed[] = [
  ['personnel.create', 10, given({ name: person.name }, { ...person, metadata })],
  ['personnel.batch', 5, fc.record({ data: some(row, 4, 1) })],
  ['personnel.batch', 5, fc.record({ data: some(fc.oneof(...rivals), 4, 2) })],
  ['personnel.update', 10, patch({ ...personChange, metadata: metadataPatch }, personGiven)],
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
    given({ to_user_id: someone }, { project_id: fc.constantFrom('@project0', '@project1') }),
  ],
  ['groups.create', 6, newGroup],
  ['groups.update', 8, patch(group, { member_count: fc.constant(99), version: fc.constant(1) })],
  ['groups.archive', 3, nothing],
  ['groups.restore', 6, nothing],
  [
    'groups.change_members',
    7,
    given({}, { add: some(someone, 3), remove: some(nth('member'), 2) }),
  ],
  ['groups.add_member', 9, nothing],
  ['groups.remove_member', 6, nothing],
  [
    'risks.create',
    3,
    fc.record({
      title: fc.constant('Uplift'),
      likelihood: rating,
      impact: rating,
      owner_user_id: worker,
    }),
  ],
  [
    'issues.create',
    2,
    fc.record({ title: fc.constant('Crane'), severity: rating, assignee_user_id: worker }),
  ],
  [
    'tasks.create',
    4,
    fc.record({ title: fc.constant('Flush'), due_on: orNone(day), assignee_user_id: worker }),
  ],
  ['personnel.list', 5, nothing, listed],
  ['personnel.view', 1, nothing],
  ['personnel.assignments', 3, nothing, paged],
  ['groups.list', 3, nothing, groupsListed],
  ['groups.view', 1, nothing],
  ['groups.members', 2, nothing, paged],
]

const rarely = (weight: number) => fc.integer({ min: 0, max: weight }).map((n) => n === weight)

const wishOf = ([name, , body, query = nothing]: Weighed): fc.Arbitrary<Wish> =>
  fc.record({
    name: fc.constant(name),
    body,
    query,
    item: fc.nat({ max: 30 }),
    isApt: rarely(3).map((isOdd) => !isOdd),
    whom: name === 'groups.remove_member' ? nth('member') : someone,
    among: fc.constant(30),
    isAstray: rarely(15),
    isWhole: name.endsWith('.update') ? rarely(4) : fc.constant(false),
    onlyIf: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom('unsaid' as const, 'unsaid', 'right') },
      { weight: 1, arbitrary: fc.constant('wrong' as const) },
    ),
  })

/** Any of these requests, as often as its weight says. */
const anyOf = (these: readonly Weighed[]) =>
  fc.oneof(...these.map((wish) => ({ weight: wish[1], arbitrary: wishOf(wish) })))

export const anyWish: fc.Arbitrary<Wish> = anyOf(wishes)

const about = (names: RegExp) => wishes.filter(([name]) => names.test(name))

/** What is in one another's way: reports, places in groups, what only one can have, and work. */
const themes = [
  { these: wishes, among: 4 },
  { these: [reports], among: 4 },
  { these: about(/member|groups\.(update|archive|restore)|depart/), among: 2 },
  { these: about(/(personnel|groups)\.(create|update|restore|rejoin|batch)/), among: 5 },
  { these: about(/^(risks|issues|tasks)|depart|reassign|assignments|suspend/), among: 2 },
  { these: about(/depart|rejoin|erase|suspend|resume|list|members$/), among: 5 },
]

/** What several ask for at once: of a few things, and mostly what is in one another's way. */
export const anyMoment: fc.Arbitrary<Wish[]> = fc
  .constantFrom(...themes)
  .chain(({ these, among }) =>
    fc.array(
      anyOf(these).map((wish) => ({ ...wish, among })),
      { minLength: 2, maxLength: 8, size: 'max' },
    ),
  )
