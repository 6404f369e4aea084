import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation, isList, scale } from '@muster/contract'
import { responseExample } from '@muster/contract/openapi'
import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'

interface Count {
  readonly count: number
}

/** The fields of examples that the checks below read. */
interface Example {
  readonly id?: string
  readonly type?: string
  readonly user_id?: string
  readonly to_user_id?: string
  readonly project_id?: string
  readonly project?: { readonly id: string }
  readonly owner_user_id?: string
  readonly owner?: { readonly user_id: string }
  readonly assignee_user_id?: string
  readonly assignee?: { readonly user_id: string }
  readonly risk_id?: string | null
  readonly issue_id?: string | null
  readonly risk?: { readonly id?: string; readonly issue_ids: readonly unknown[] }
  readonly issue?: { readonly id?: string; readonly risk_id?: string }
  readonly manager_user_id?: string | null
  readonly status?: string
  readonly assignable?: boolean
  readonly erased_at?: string | null
  readonly closed_at?: string | null
  readonly likelihood?: number
  readonly impact?: number
  readonly score?: number
  readonly level?: string
  readonly version?: number
  readonly created_at?: string
  readonly updated_at?: string
  readonly start_on?: string
  readonly end_on?: string
  readonly count?: number
  readonly live_risks?: number
  readonly data?: readonly unknown[]
  readonly by_level?: Readonly<Record<string, number>>
  readonly by_status?: Readonly<Record<string, number>>
  readonly cells?: readonly Count[]
  readonly by_project?: readonly Count[]
}

const valueOf = (object: Example, name: string) => object[name as keyof Example] ?? null

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, keywords: ['x-extensible-enum'] })
formats.default(ajv)

/** Every object of an example, from the outside in. */
function objectsIn(value: unknown): Example[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(objectsIn)]
}

/** The ids that an object mentions under names other than those of its own id. */
const otherIds = ({ id: _id, user_id: _userId, ...others }: Example) =>
  Array.from(JSON.stringify(others).matchAll(/\b[a-z]{3}_[0-9a-z]{26}\b/g), ([found]) => found)

/** What is wrong with an object, if the condition holds. */
type Faults = Readonly<Record<string, (object: Example) => boolean>>

const references: Faults = {
  'refers to itself': (object) =>
    object.type !== 'project' && otherIds(object).includes(object.id ?? ''),
  'is of another project': ({ project, project_id = project?.id }) =>
    project?.id !== (project && project_id),
  'has another owner': ({ owner, owner_user_id }) => owner?.user_id !== (owner && owner_user_id),
  'has another assignee': ({ assignee, assignee_user_id }) =>
    assignee?.user_id !== (assignee && assignee_user_id),
  'has an issue of another risk': ({ risk, issue }) => issue?.risk_id !== (issue && risk?.id),
  'has no such issue': ({ risk, issue }) =>
    issue !== undefined && !risk?.issue_ids.includes(issue.id),
  'hands over to itself': ({ user_id, to_user_id }) =>
    to_user_id !== undefined && to_user_id === user_id,
  'belongs to a risk and to an issue': ({ risk_id, issue_id }) => Boolean(risk_id && issue_id),
}

const found = (faults: Faults, object: Example) =>
  Object.entries(faults).flatMap(([fault, isFaulty]) => (isFaulty(object) ? [fault] : []))

const pairs = [
  ['start_on', 'end_on'],
  ['starts_on', 'due_on'],
  ['created_at', 'expires_at'],
  ['opened_at', 'closed_at'],
] as const

function faultsOfDates(object: Example): string[] {
  const { created_at = '', updated_at = '9' } = object
  const textOf = (name: string) => {
    const value = valueOf(object, name)
    return typeof value === 'string' ? value : ''
  }
  const past = Object.keys(object).filter((name) => name.endsWith('_at') && name !== 'expires_at')
  const isOutside = (name: string) =>
    textOf(name) !== '' && (textOf(name) < created_at || textOf(name) > updated_at)
  return [
    ...past.filter(isOutside).map((name) => `${name} is outside its life`),
    ...pairs
      .filter(([from, to]) => textOf(to) !== '' && textOf(from) > textOf(to))
      .map(([from, to]) => `${from} is after ${to}`),
  ]
}

/** A field is set exactly in this status. */
const onlyIn: Readonly<Record<string, readonly string[]>> = {
  closed_at: ['closed'],
  close_reason: ['closed'],
  revoked_at: ['revoked'],
  completed_at: ['done'],
  blocked_reason: ['blocked'],
}

const levelOf = (score: number) =>
  scale.levels.find(({ score_min, score_max }) => score_min <= score && score <= score_max)?.level

const states: Faults = {
  // An assignment has a score without the ratings.
  'has a wrong score': ({ score, likelihood, impact = 0 }) =>
    score !== undefined && likelihood !== undefined && score !== likelihood * impact,
  'has a wrong level': ({ score, level }) =>
    score !== undefined && level !== undefined && levelOf(score) !== level,
  'is assignable although not active': ({ assignable, status }) =>
    assignable !== undefined && assignable !== (status === 'active'),
  'is erased and has not departed': ({ erased_at, status }) =>
    Boolean(erased_at) && status !== 'departed',
  'has a version after as_of': ({ version = 0 }) => version > 4711,
}

function faultsOfStates(object: Example): string[] {
  const { status = '' } = object
  const wrong = Object.entries(onlyIn).filter(
    ([name, among]) =>
      name in object && among.includes(status) !== (valueOf(object, name) !== null),
  )
  return [
    ...wrong.map(([name]) => `${name} does not fit the status ${status}`),
    ...found(states, object),
  ]
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const counts: Faults = {
  'has a wrong count': ({ data, count }) =>
    data !== undefined && count !== undefined && data.length !== count,
  'has counts with another sum': ({ by_level, by_status, live_risks, count = live_risks }) =>
    [by_level, by_status].some((each) => each && sum(Object.values(each)) !== count),
  'has wrong cells': ({ cells, by_project, count: total }) =>
    total !== undefined &&
    [cells, by_project].some((each) => each && sum(each.map(({ count }) => count)) !== total),
}

const faultsOf = (object: Example) => [
  ...found(references, object),
  ...faultsOfDates(object),
  ...faultsOfStates(object),
  ...found(counts, object),
]

for (const { name, operation } of everyOperation()) {
  test(`${name}: the example of the response is valid and consistent`, () => {
    const example = responseExample(operation)
    const isValid = ajv.compile(operation.response)
    assert.ok(isValid(example), JSON.stringify(isValid.errors))
    for (const object of objectsIn(example)) {
      assert.deepEqual(faultsOf(object), [], JSON.stringify(object))
    }
    if (isList(operation)) assert.equal(example['next_cursor'], null, 'a complete list')
  })
}

test('each check of an example can fail', () => {
  const id = 'usr_01ktrr9d3hen4v9q9t9m2g8x5c'
  const faulty: Record<string, Example> = {
    'refers to itself': { id, user_id: id, manager_user_id: id },
    'updated_at is outside its life': { created_at: '2026-03-01', updated_at: '2026-02-01' },
    'start_on is after end_on': { start_on: '2027-01-01', end_on: '2026-01-01' },
    'closed_at does not fit the status open': { status: 'open', closed_at: '2026-01-01' },
    'has a wrong score': { likelihood: 2, impact: 3, score: 5 },
    'has a wrong level': { likelihood: 5, impact: 5, score: 25, level: 'low' },
    'is of another project': { project_id: 'a', project: { id: 'b' } },
    'has another owner': { owner_user_id: 'a', owner: { user_id: 'b' } },
    'has another assignee': { assignee_user_id: 'a', assignee: { user_id: 'b' } },
    'has an issue of another risk': { risk: { id: 'a', issue_ids: [] }, issue: { risk_id: 'b' } },
    'has no such issue': { risk: { issue_ids: [] }, issue: { id: 'b' } },
    'has a wrong count': { count: 2, data: [{}] },
    'has counts with another sum': { count: 3, by_level: { low: 1, high: 1 } },
    'has wrong cells': { count: 3, cells: [{ count: 2 }] },
    'hands over to itself': { user_id: id, to_user_id: id },
    'belongs to a risk and to an issue': { risk_id: 'a', issue_id: 'b' },
  }
  for (const [fault, object] of Object.entries(faulty)) {
    assert.ok(faultsOf(object).includes(fault), `${fault}: ${faultsOf(object).join()}`)
  }
  assert.deepEqual(faultsOf({ id, user_id: id, manager_user_id: null }), [])
})
