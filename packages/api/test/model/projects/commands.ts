import {
  currentProjectStatuses,
  issueCloseReasons,
  issueStatuses,
  issueTypes,
  operations,
  type Operation,
  projectHealths,
  riskCategories,
  riskCloseReasons,
  riskResponses,
  riskStatuses,
  taskStatuses,
} from '@muster/contract'
import * as fc from 'fast-check'

import type { Command, Noun, World } from './model.ts'

/**
 * A request as chance makes it up, before it is known what there is. `@risk3` stands for the third
 * risk there is by then, `@day-2` for the day before yesterday.
 */
export interface Wish {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
  readonly item: number
  /** Looks for the item in a project that it may not be in. */
  readonly isAstray: boolean
  /** Sends the whole item back, as it was last read, with what is to be changed in it. */
  readonly isWhole: boolean
  readonly onlyIf: 'unsaid' | 'right' | 'wrong'
}

type Fields = Record<string, fc.Arbitrary<unknown>>

const text = fc.constantFrom('Uplift', 'Flood in spring', 'Ärger', 'x')
const note = fc.constantFrom('Seen.', 'Two\nlines.')
/** Mostly someone who can be given work; now and then someone who cannot, or whom nobody knows. */
const person = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('@person0', '@person1', null) },
  { weight: 1, arbitrary: fc.constantFrom('@person2', '@person3') },
)
/** Mostly near today, where it makes a difference. */
const day = fc.constantFrom(-2, -1, 0, 0, 0, 1, 1, 2, 4).map((days) => `@day${days}`)
const maybeDay = fc.oneof(day, fc.constant(null))
const rating = fc.integer({ min: 1, max: 5 })
const tags = fc.uniqueArray(fc.constantFrom('flood', 'gates', 'Åska', 'zebra', 'a-b'), {
  maxLength: 3,
})
const metadata = fc.constantFrom({}, { badge: '1' }, { badge: '2', 'a.b': '' })
const metadataPatch = fc.constantFrom({ badge: '3' }, { badge: null }, { 'a.b': 'x', none: null })
/** One of those that there are, of whatever project; mostly none. */
const any = (prefix: string) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.nat({ max: 30 }).map((n) => `@${prefix}${n}`) },
    { weight: 3, arbitrary: fc.constant(null) },
  )

const all = (fields: Fields) => fc.record(fields)
const given = (required: Fields, others: Fields) =>
  fc.record({ ...required, ...others }, { requiredKeys: Object.keys(required) })

/** One to three of these fields: more would seldom be possible all at once. */
const some = (fields: Fields) =>
  fc
    .subarray(Object.keys(fields), { minLength: 1, maxLength: 3 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, fields[name] ?? fc.constant(null)]))),
    )

const pair = { likelihood: rating, impact: rating }
const rated = fc.oneof(
  { arbitrary: all(pair), weight: 4 },
  { arbitrary: all({ ...pair, score: fc.constantFrom(1, 4, 12) }), weight: 1 },
)
const rating25 = fc.integer({ min: 1, max: 25 })
const partOfRating = fc.oneof(some({ ...pair, due_on: maybeDay }), fc.constant(null))

const project = {
  name: text,
  description: fc.oneof(text, fc.constant(null)),
  status: fc.constantFrom(...currentProjectStatuses),
  health: fc.constantFrom(...projectHealths, null),
  health_note: fc.oneof(note, fc.constant(null)),
  owner_user_id: person,
  starts_on: maybeDay,
  due_on: maybeDay,
  risk_appetite: fc.oneof(rating25, fc.constant(null)),
  metadata,
}

const risk = {
  description: fc.oneof(text, fc.constant(null)),
  category: fc.constantFrom(...riskCategories),
  response: fc.constantFrom(...riskResponses),
  owner_user_id: person,
  review_on: maybeDay,
  tags,
  metadata,
}

const issue = {
  description: fc.oneof(text, fc.constant(null)),
  type: fc.constantFrom(...issueTypes),
  assignee_user_id: person,
  due_on: maybeDay,
  blocked_reason: fc.oneof(note, fc.constant(null)),
  tags,
  metadata,
}

const task = {
  status: fc.constantFrom(...taskStatuses),
  assignee_user_id: person,
  due_on: maybeDay,
  risk_id: any('risk'),
  issue_id: any('issue'),
}

const codes = fc.constantFrom('DAM', 'BAY', 'LOCK', 'X1', 'Y2')
const closeNote = fc.oneof(note, fc.constant(null))

/** How often each is asked for, and with what. */
const wishes: [string, number, fc.Arbitrary<object>][] = [
  ['projects.create', 3, given({ code: codes, name: text }, project)],
  ['projects.update', 3, all({ risk_appetite: project.risk_appetite })],
  ['projects.update', 4, some({ ...project, metadata: metadataPatch, code: codes })],
  [
    'projects.archive',
    3,
    fc.oneof(
      fc.constantFrom({}, { if_live_items: 'close' }, { if_live_items: 'transfer' }),
      fc.nat({ max: 9 }).map((n) => ({
        if_live_items: 'transfer',
        to_project_id: `@project${n}`,
      })),
    ),
  ],
  ['projects.restore', 3, given({}, { status: fc.constantFrom(...currentProjectStatuses) })],
  ['risks.create', 8, given({ title: text, ...pair }, { ...risk, inherent: rated, target: rated })],
  [
    'risks.update',
    7,
    some({
      ...risk,
      title: text,
      status: fc.constantFrom(...riskStatuses),
      inherent: partOfRating.map((part) => part && without(part, 'due_on')),
      target: partOfRating,
      metadata: metadataPatch,
      likelihood: rating,
      closed_at: fc.constant(null),
      version: fc.constant(1),
    }),
  ],
  ['risks.review', 6, given({ note }, { ...pair, review_on: maybeDay })],
  [
    'risks.accept',
    4,
    all({
      accepted_by_user_id: person.map((id) => id ?? '@person1'),
      expires_on: day,
      rationale: note,
    }),
  ],
  ['risks.occur', 4, given({}, { note })],
  [
    'risks.close',
    4,
    given({ close_reason: fc.constantFrom(...riskCloseReasons) }, { close_note: closeNote }),
  ],
  ['risks.reopen', 4, given({}, { note })],
  [
    'issues.create',
    4,
    given(
      { title: text, severity: rating },
      { ...issue, status: fc.constantFrom('open', 'blocked') },
    ),
  ],
  [
    'issues.update',
    5,
    some({
      ...issue,
      title: text,
      severity: rating,
      status: fc.constantFrom(...issueStatuses),
      metadata: metadataPatch,
      risk_id: any('risk'),
      reopened_count: fc.constant(0),
    }),
  ],
  [
    'issues.close',
    4,
    given({ close_reason: fc.constantFrom(...issueCloseReasons) }, { close_note: closeNote }),
  ],
  ['issues.reopen', 3, given({}, { note })],
  ['tasks.create', 4, given({ title: text }, task)],
  ['tasks.update', 8, some({ ...task, title: text, completed_at: fc.constant(null) })],
]

function without(part: Readonly<Record<string, unknown>>, name: string) {
  const rest = Object.entries(part).filter(([each]) => each !== name)
  return rest.length > 0 ? Object.fromEntries(rest) : null
}

const rarely = (weight: number) => fc.integer({ min: 0, max: weight }).map((n) => n === weight)

/** Any request, as often as its weight says. */
export const anyWish: fc.Arbitrary<Wish> = fc.oneof(
  ...wishes.map(([name, weight, body]) => ({
    weight,
    arbitrary: fc.record({
      name: fc.constant(name),
      body: body as fc.Arbitrary<Wish['body']>,
      item: fc.nat({ max: 30 }),
      isAstray: rarely(20),
      isWhole: name.endsWith('.update') ? rarely(4) : fc.constant(false),
      onlyIf: fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom('unsaid', 'unsaid', 'right') },
        { weight: 1, arbitrary: fc.constant('wrong') },
      ),
    }) as fc.Arbitrary<Wish>,
  })),
)

const nth = <T>(values: Iterable<T>, index: number): T | undefined => {
  const known = [...values]
  return known[index % known.length]
}

/** What is meant, now that it is known what there is. Null when there is nothing to ask it of. */
export function commandOf(world: World, people: readonly string[], wish: Wish): Command | null {
  const { name, item } = wish
  // The cast holds because an operation is named for the things it is about.
  const noun = name.split('.')[0]?.slice(0, -1) as Noun
  const body = filled(wish.body, { world, people }) as Command['body']
  const somewhere = nth(world.project.keys(), item)
  if (name.endsWith('.create')) {
    if (noun !== 'project' && somewhere === undefined) return null
    return { name, at: { project_id: somewhere ?? '' }, body, onlyIf: null }
  }
  const subject = nth(world.all(noun), item)
  if (subject === undefined) return null
  const { id, version } = subject
  const home = 'project_id' in subject ? subject.project_id : id
  const project_id = wish.isAstray && noun !== 'project' ? (somewhere ?? home) : home
  return {
    name,
    at: { project_id, [`${noun}_id`]: id },
    body: wish.isWhole ? { ...subject, ...body } : body,
    onlyIf: { unsaid: null, right: version, wrong: 1 }[wish.onlyIf],
  }
}

const dayMs = 86_400_000

function filled(value: unknown, known: { world: World; people: readonly string[] }): unknown {
  const { world, people } = known
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, filled(each, known)]),
    )
  }
  const [, kind, number] = /^@([a-z]+)(-?\d+)$/.exec(String(value)) ?? []
  if (kind === undefined) return value
  if (kind === 'person') return people[Number(number)]
  if (kind === 'day') {
    return new Date(Date.parse(world.today) + Number(number) * dayMs).toISOString().slice(0, 10)
  }
  return nth(world[kind as Noun].keys(), Number(number)) ?? unknownIds[kind]
}

const nobody = '01ktrr9d3hen4v9q9t9m2g8x5c'
const unknownIds: Record<string, string> = {
  project: `prj_${nobody}`,
  risk: `rsk_${nobody}`,
  issue: `iss_${nobody}`,
}
export const unknownPerson = `usr_${nobody}`

const named = operations as unknown as Record<string, Record<string, Operation>>

/** Where a command goes, by the contract. */
export function requestOf({ name, at, body, onlyIf }: Command) {
  const [noun = '', verb = ''] = name.split('.')
  const operation = named[noun]?.[verb]
  if (operation === undefined) throw new Error(`The contract has no ${name}.`)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, id: string) => at[id] ?? '')
  const headers: Record<string, string> = onlyIf === null ? {} : { 'if-match': `"${onlyIf}"` }
  return { method: operation.method, path, status: operation.status, sent: { body, headers } }
}
