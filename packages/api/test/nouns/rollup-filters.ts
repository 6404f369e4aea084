import type { Issue, Risk } from '@muster/contract'
import * as fc from 'fast-check'

import { isAcceptanceValid } from './rollup-expected.ts'
import { folded } from './sorted-expected.ts'

export type Values = readonly (string | number)[]
export type Filter = Readonly<Record<string, Values>>
export type Tests<T> = Record<string, (item: T, values: Values) => boolean>

const intersects = (some: readonly string[], values: Values) =>
  some.some((one) => values.includes(one))
const matchesText = (item: { ref: string; title: string }, [q = '']: Values) =>
  folded(`${item.ref} ${item.title}`).includes(folded(String(q)))

/** A second implementation of each filter, by its description in the contract. */
const ofBoth = {
  id: ({ id }: { id: string }, values: Values) => values.includes(id),
  project_id: (item: { project_id: string }, values: Values) => values.includes(item.project_id),
  status: (item: { status: string }, values: Values) => values.includes(item.status),
  flag: (item: { flags: string[] }, values: Values) => intersects(item.flags, values),
  tag: (item: { tags: string[] }, values: Values) => intersects(item.tags, values),
  q: matchesText,
}
export const ofRisks: Tests<Risk> = {
  ...ofBoth,
  owner_user_id: (risk, values) => values.includes(risk.owner_user_id ?? 'none'),
  category: (risk, values) => values.includes(risk.category),
  response: (risk, values) => values.includes(risk.response),
  accepted: (risk, [wanted]) => String(isAcceptanceValid(risk)) === wanted,
  level: (risk, values) => values.includes(risk.level),
  likelihood: (risk, values) => values.includes(risk.likelihood),
  impact: (risk, values) => values.includes(risk.impact),
  score_min: (risk, [least = 0]) => risk.score >= Number(least),
}
export const ofIssues: Tests<Issue> = {
  ...ofBoth,
  assignee_user_id: (issue, values) => values.includes(issue.assignee_user_id ?? 'none'),
  severity: (issue, values) => values.includes(issue.severity),
  opened_from: (issue, [day = '']) => issue.opened_at.slice(0, 10) >= String(day),
  opened_before: (issue, [day = '']) => issue.opened_at.slice(0, 10) < String(day),
}

export const matches =
  <T>(tests: Tests<T>, filter: Filter) =>
  (item: T) =>
    Object.entries(filter).every(([name, values]) => tests[name]?.(item, values))

export const queryOf = (filter: Filter) =>
  Object.entries(filter)
    .map(([name, values]) => `${name}=${values.map(encodeURIComponent).join(',')}`)
    .join('&')

/** Some of these values. */
export const few = (values: Values, most = 3) =>
  fc.shuffledSubarray([...values], { minLength: 1, maxLength: Math.min(most, values.length) })
/** Up to three of these filters, each with some of its values. */
export const filterOf = (values: Record<string, fc.Arbitrary<Values>>): fc.Arbitrary<Filter> =>
  fc
    .subarray(Object.keys(values), { maxLength: 3 })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((name) => [name, values[name] ?? fc.constant([])]))),
    )
