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

import type { Command, Noun, ModelState } from './model.ts'

/**
 * A generated request with placeholders: `@risk3` stands for the risk with index 3 in the model,
 * `@day-2` for two days ago.
 */
export interface RequestTemplate {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
  readonly item: number
  /** Sends the item under another project, where it may not exist. */
  readonly isMisplaced: boolean
  /** Sends the whole current item with the changes merged in. */
  readonly isFullBody: boolean
  readonly ifMatch: 'absent' | 'current' | 'stale'
}

type Fields = Record<string, fc.Arbitrary<unknown>>

const text = fc.constantFrom('Uplift', 'Flood in spring', 'Ärger', 'x')
const note = fc.constantFrom('Seen.', 'Two\nlines.')
/** Mostly an assignable person; sometimes a suspended or unknown one. */
const person = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('@person0', '@person1', null) },
  { weight: 1, arbitrary: fc.constantFrom('@person2', '@person3') },
)
/** Mostly near the current date, where flags change. */
const day = fc.constantFrom(-2, -1, 0, 0, 0, 1, 1, 2, 4).map((days) => `@day${days}`)
const maybeDay = fc.oneof(day, fc.constant(null))
const rating = fc.integer({ min: 1, max: 5 })
const tags = fc.uniqueArray(fc.constantFrom('flood', 'gates', 'Åska', 'zebra', 'a-b'), {
  maxLength: 3,
})
const links = fc.array(
  fc.constantFrom(
    { title: 'Report', url: 'https://a.example/report' },
    { url: 'https://b.example/?q=1', title: 'Drawing' },
  ),
  { maxLength: 2 },
)
const metadata = fc.constantFrom({}, { badge: '1' }, { badge: '2', 'a.b': '' })
const metadataPatch = fc.constantFrom({ badge: '3' }, { badge: null }, { 'a.b': 'x', none: null })
/** An existing item of any project; mostly null. */
const any = (prefix: string) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.nat({ max: 30 }).map((n) => `@${prefix}${n}`) },
    { weight: 3, arbitrary: fc.constant(null) },
  )

const all = (fields: Fields) => fc.record(fields)
const given = (required: Fields, others: Fields) =>
  fc.record({ ...required, ...others }, { requiredKeys: Object.keys(required) })

/** One to three of these fields: more would rarely be valid together. */
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
  links,
  metadata,
}

const issue = {
  description: fc.oneof(text, fc.constant(null)),
  type: fc.constantFrom(...issueTypes),
  assignee_user_id: person,
  due_on: maybeDay,
  blocked_reason: fc.oneof(note, fc.constant(null)),
  tags,
  links,
  metadata,
}

const task = {
  status: fc.constantFrom(...taskStatuses),
  assignee_user_id: person,
  due_on: maybeDay,
  risk_id: any('risk'),
  issue_id: any('issue'),
  links,
}

const codes = fc.constantFrom('DAM', 'BAY', 'LOCK', 'X1', 'Y2')
const closeNote = fc.oneof(note, fc.constant(null))

/** Operation, weight and body of each request. */
const templates: [string, number, fc.Arbitrary<object>][] = [
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

/** Any request, by weight. */
export const arbitraryTemplate: fc.Arbitrary<RequestTemplate> = fc.oneof(
  ...templates.map(([name, weight, body]) => ({
    weight,
    arbitrary: fc.record({
      name: fc.constant(name),
      body: body as fc.Arbitrary<RequestTemplate['body']>,
      item: fc.nat({ max: 30 }),
      isMisplaced: rarely(20),
      isFullBody: name.endsWith('.update') ? rarely(4) : fc.constant(false),
      ifMatch: fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom('absent', 'absent', 'current') },
        { weight: 1, arbitrary: fc.constant('stale') },
      ),
    }) as fc.Arbitrary<RequestTemplate>,
  })),
)

const nth = <T>(values: Iterable<T>, index: number): T | undefined => {
  const known = [...values]
  return known[index % known.length]
}

/** Replaces the placeholders. Returns null when the model has no item for it. */
export function commandOf(
  state: ModelState,
  people: readonly string[],
  template: RequestTemplate,
): Command | null {
  const { name, item } = template
  // The cast holds because an operation name starts with the plural of its noun.
  const noun = name.split('.')[0]?.slice(0, -1) as Noun
  const body = withoutPlaceholders(template.body, { state, people }) as Command['body']
  const somewhere = nth(state.project.keys(), item)
  if (name.endsWith('.create')) {
    if (noun !== 'project' && somewhere === undefined) return null
    return { name, at: { project_id: somewhere ?? '' }, body, ifMatch: null }
  }
  const subject = nth(state.all(noun), item)
  if (subject === undefined) return null
  const { id, version } = subject
  const home = 'project_id' in subject ? subject.project_id : id
  const project_id = template.isMisplaced && noun !== 'project' ? (somewhere ?? home) : home
  return {
    name,
    at: { project_id, [`${noun}_id`]: id },
    body: template.isFullBody ? { ...subject, ...body } : body,
    ifMatch: { absent: null, current: version, stale: 1 }[template.ifMatch],
  }
}

const dayMs = 86_400_000

function withoutPlaceholders(
  value: unknown,
  known: { state: ModelState; people: readonly string[] },
): unknown {
  const { state, people } = known
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, withoutPlaceholders(each, known)]),
    )
  }
  const [, kind, number] = /^@([a-z]+)(-?\d+)$/.exec(String(value)) ?? []
  if (kind === undefined) return value
  if (kind === 'person') return people[Number(number)]
  if (kind === 'day') {
    return new Date(Date.parse(state.today) + Number(number) * dayMs).toISOString().slice(0, 10)
  }
  return nth(state[kind as Noun].keys(), Number(number)) ?? unknownIds[kind]
}

const unknownSuffix = '01ktrr9d3hen4v9q9t9m2g8x5c'
const unknownIds: Record<string, string> = {
  project: `prj_${unknownSuffix}`,
  risk: `rsk_${unknownSuffix}`,
  issue: `iss_${unknownSuffix}`,
}
export const unknownPerson = `usr_${unknownSuffix}`

const named = operations as unknown as Record<string, Record<string, Operation>>

/** The HTTP request of a command, by the contract. */
export function requestOf({ name, at, body, ifMatch }: Command) {
  const [noun = '', verb = ''] = name.split('.')
  const operation = named[noun]?.[verb]
  if (operation === undefined) throw new Error(`no operation ${name} in the contract`)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, id: string) => at[id] ?? '')
  const headers: Record<string, string> = ifMatch === null ? {} : { 'if-match': `"${ifMatch}"` }
  return { method: operation.method, path, status: operation.status, sent: { body, headers } }
}
