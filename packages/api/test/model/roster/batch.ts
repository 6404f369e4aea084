import { isDeepStrictEqual } from 'node:util'

import { NewPerson, type Person } from '@muster/contract'

import type { Json } from '#test/support/client'

import {
  attempt,
  type Command,
  differences,
  type Effect,
  invalid,
  noEffect,
  readPatch,
  type Refusal,
  refuseFull,
  refuseStale,
  type RosterState,
  type Rule,
  changeEffect,
  unless,
} from './model.ts'
import {
  type Chart,
  chartOf,
  markTaken,
  type TakenValues,
  takenValuesIn,
  newPerson,
  refuseContradictions,
  refuseCycle,
  refuseManager,
  refuseTaken,
  writable,
} from './people.ts'

type Row = Command['body']

/** The state for the evaluation of a row. */
interface Rows {
  readonly state: RosterState
  /**
   * From before the batch and from accepted rows: a released email stays taken within the batch.
   */
  readonly takenValues: TakenValues
  /** From after the batch. */
  readonly chart: Chart
}

/** The effect of a row, or the reasons to refuse it, of which any may be reported. */
interface RowResult {
  readonly after: Person
  readonly effect: Effect
  readonly refusals: readonly (Refusal | null)[]
}

function addByRow(row: Row, id: string, { state, takenValues }: Rows): RowResult {
  const given = Object.fromEntries(
    Object.entries(row).filter(([name]) => name in NewPerson.properties),
  )
  const after = newPerson(state, given, id)
  const isNamed = row['name'] !== undefined
  return {
    after,
    effect: {
      items: [{ noun: 'person', after }],
      events: [{ type: 'person.created', subject: id, changed: Object.keys(given) }],
    },
    refusals: firstRefused(
      [
        unless(isNamed, invalid('/name required')),
        ...refuseContradictions(after),
        refuseManager(state, after.manager_user_id),
      ],
      [refuseOtherValues(row, after)],
      refuseTaken(takenValues, after),
    ),
  }
}

const firstRefused = (...stages: RowResult['refusals'][]): RowResult['refusals'] =>
  stages.find((stage) => stage.some((refusal) => refusal !== null)) ?? []

/** Refuses values that a new person will not have, all at once. */
function refuseOtherValues({ status = 'active', ...row }: Row, after: Person): Refusal | null {
  const result: Json = after
  const others = Object.entries(row)
    .filter(([name, value]) => !(name in NewPerson.properties) && value !== null)
    .filter(([name, value]) => !isDeepStrictEqual(value, result[name]))
    .map(([name]) => `/${name} read_only_field`)
  const fieldErrors = [...(status === 'active' ? [] : ['/status not_allowed']), ...others]
  return unless(fieldErrors.length === 0, invalid(...fieldErrors))
}

function changeByRow(row: Row, before: Person, { state, takenValues, chart }: Rows): RowResult {
  const { fields, refusals } = readPatch(before, row, writable)
  const after = { ...before, ...fields }
  const stale = refuseStale(row['version'], before)
  const isMoved = after.manager_user_id !== before.manager_user_id
  const isSame = differences(before, after).length === 0
  const changing = [
    unless(before.erased_at === null, { code: 'person_erased' }),
    ...refuseContradictions(after),
    isMoved ? refuseManager(state, after.manager_user_id) : null,
    isMoved ? refuseCycle(chart, before.id) : null,
    ...(after.status === 'departed' ? [] : refuseTaken(takenValues, after)),
  ]
  return {
    after: isSame ? before : after,
    effect: isSame ? noEffect : changeEffect({ noun: 'person', after }, before, 'person.updated'),
    refusals: stale
      ? [{ ...stale, pointer: '/version' }]
      : [...refusals, ...(isSame ? [] : changing)],
  }
}

/** The field errors of a row, with their pointers. Of several refusals, one is reported. */
function fieldErrorsOf(refusals: RowResult['refusals'], index: number): string[][] {
  const reported = refusals
    .filter((refusal) => refusal !== null)
    .map(({ code, fieldErrors, pointer = '' }) => fieldErrors ?? [[`${pointer} ${code}`]])
  const entries = reported.length > 1 ? [reported.flat(2)] : reported.flat()
  return entries.map((entry) => entry.map((fieldError) => `/data/${index}${fieldError}`))
}

const refusedRow = (fieldError: string): RowResult => ({
  // The cast holds because the result of a refused row is not used.
  after: {} as Person,
  effect: noEffect,
  refusals: [invalid(fieldError)],
})

/** Evaluates every row. An accepted row takes its unique values from later rows. */
function tryRows(state: RosterState, rows: readonly Row[], responseData: Json): RowResult[] {
  const managers = new Map<string, string | null>(
    rows.flatMap(({ id, manager_user_id: manager }) =>
      id !== undefined && manager !== undefined ? [[id, manager]] : [],
    ),
  )
  const chart: Chart = (id) => (managers.has(id) ? (managers.get(id) ?? null) : chartOf(state)(id))
  const known = { state, takenValues: takenValuesIn(state), chart }
  const seen = new Set<string>()
  const results: RowResult[] = []
  for (const [index, row] of rows.entries()) {
    const result = tryRow(row, {
      ...known,
      seen,
      newId: responseData?.data?.[index]?.id ?? `new ${index}`,
    })
    const isAccepted = result.refusals.every((refusal) => refusal === null)
    const isHere = result.after.status !== 'departed'
    if (isAccepted && isHere && result.effect !== noEffect)
      markTaken(known.takenValues, result.after)
    results.push(result)
  }
  return results
}

function tryRow(row: Row, known: Rows & { seen: Set<string>; newId: string }): RowResult {
  const { id } = row
  if (id === undefined) return addByRow(row, known.newId, known)
  const before = known.state.person.get(id)
  if (before === undefined) return refusedRow('/id not_found')
  if (known.seen.has(id)) return refusedRow('/id repeated')
  known.seen.add(id)
  return changeByRow(row, before, known)
}

export const batchPersonnel: Rule = (state, { body }, observed) => {
  const rows: Row[] = body['data']
  const results = tryRows(state, rows, observed.body)
  const fieldErrors = results.flatMap(({ refusals }, index) => fieldErrorsOf(refusals, index))
  const created = rows.filter(({ id }) => id === undefined).length
  const effects = results.map(({ effect }) => effect)
  const refusals = [
    unless(fieldErrors.length === 0, { code: 'validation_failed', fieldErrors }),
    created > 0 ? refuseFull(state, 'people', created) : null,
  ]
  return attempt([refusals], () => ({
    items: effects.flatMap(({ items }) => items),
    events: effects.flatMap(({ events }) => events),
    responseBody: (then) => ({
      data: results.map(({ after: { id } }) => then.person.get(id)),
      outcomes: rows.map(({ id }, index) => outcomeOf(id, effects[index])),
      count: rows.length,
      created,
      changed: effects.filter((effect) => effect !== noEffect).length - created,
      unchanged: effects.filter((effect) => effect === noEffect).length,
      rejoined: 0,
      departed: 0,
      missing: [],
    }),
  }))
}

function outcomeOf(id: string | undefined, effect: Effect | undefined): string {
  if (id === undefined) return 'created'
  return effect === noEffect ? 'unchanged' : 'changed'
}
