import { NewPerson, type Person } from '@muster/contract'

import type { Json } from './client.ts'
import {
  type Chart,
  chartOf,
  claim,
  type Holders,
  holdersIn,
  newPerson,
  refuseContradictions,
  refuseCycle,
  refuseManager,
  refuseTaken,
  writable,
} from './roster-model-people.ts'
import {
  attempt,
  type Command,
  differences,
  type Effect,
  invalid,
  nothing,
  readPatch,
  type Refusal,
  refuseFull,
  refuseStale,
  type Roster,
  type Rule,
  saved,
  unless,
} from './roster-model.ts'

type Row = Command['body']

/** What is known when a row is taken. */
interface Rows {
  readonly world: Roster
  /** Of before the batch, and of the rows that were taken: who gives up an email has it still. */
  readonly holders: Holders
  /** Of after the batch. */
  readonly chart: Chart
}

/** What a row makes of someone; or why it cannot, any of these reasons being as good. */
interface Taken {
  readonly after: Person
  readonly effect: Effect
  readonly refusals: readonly (Refusal | null)[]
}

function addByRow(row: Row, id: string, { world, holders }: Rows): Taken {
  const given = Object.fromEntries(
    Object.entries(row).filter(([name]) => name in NewPerson.properties),
  )
  const after = newPerson(world, given, id)
  const isNamed = row['name'] !== undefined
  return {
    after,
    effect: {
      things: [{ noun: 'person', after }],
      events: [{ type: 'person.created', subject: id, changed: Object.keys(given) }],
    },
    refusals: [
      unless(isNamed, invalid('/name required')),
      unless((row['status'] ?? 'active') === 'active', invalid('/status not_allowed')),
      ...refuseContradictions(after),
      refuseManager(world, after.manager_user_id),
      ...refuseTaken(holders, after),
    ],
  }
}

function changeByRow(row: Row, before: Person, { world, holders, chart }: Rows): Taken {
  const { fields, refusals } = readPatch(before, row, writable)
  const after = { ...before, ...fields }
  const stale = refuseStale(row['version'], before)
  const isMoved = after.manager_user_id !== before.manager_user_id
  const isSame = differences(before, after).length === 0
  const changing = [
    unless(before.erased_at === null, { code: 'person_erased' }),
    ...refuseContradictions(after),
    isMoved ? refuseManager(world, after.manager_user_id) : null,
    isMoved ? refuseCycle(chart, before.id) : null,
    ...(after.status === 'departed' ? [] : refuseTaken(holders, after)),
  ]
  return {
    after: isSame ? before : after,
    effect: isSame ? nothing : saved({ noun: 'person', after }, before, 'person.updated'),
    refusals: stale
      ? [{ ...stale, pointer: '/version' }]
      : [...refusals, ...(isSame ? [] : changing)],
  }
}

/** The reasons for which a row may be refused, each with its place. */
const flawsOf = (refusals: Taken['refusals'], index: number) =>
  refusals
    .filter((refusal) => refusal !== null)
    .flatMap(({ code, flaws, pointer = '' }) => flaws?.flat() ?? [`${pointer} ${code}`])
    .map((flaw) => `/data/${index}${flaw}`)

const nobody = (flaw: string): Taken => ({
  // The cast holds because nothing is looked at of what a refused row would have made.
  after: {} as Person,
  effect: nothing,
  refusals: [invalid(flaw)],
})

/** Every row is tried, whatever became of the others; what it takes is taken for those after it. */
function tryRows(world: Roster, rows: readonly Row[], told: Json): Taken[] {
  const wishes = new Map<string, string | null>(
    rows.flatMap(({ id, manager_user_id: manager }) =>
      id !== undefined && manager !== undefined ? [[id, manager]] : [],
    ),
  )
  const chart: Chart = (id) => (wishes.has(id) ? (wishes.get(id) ?? null) : chartOf(world)(id))
  const known = { world, holders: holdersIn(world), chart }
  const seen = new Set<string>()
  const taken: Taken[] = []
  for (const [index, row] of rows.entries()) {
    const one = tryRow(row, { ...known, seen, newId: told?.data?.[index]?.id ?? `new ${index}` })
    const isTaken = one.refusals.every((refusal) => refusal === null)
    const isHere = one.after.status !== 'departed'
    if (isTaken && isHere && one.effect !== nothing) claim(known.holders, one.after)
    taken.push(one)
  }
  return taken
}

function tryRow(row: Row, known: Rows & { seen: Set<string>; newId: string }): Taken {
  const { id } = row
  if (id === undefined) return addByRow(row, known.newId, known)
  const before = known.world.person.get(id)
  if (before === undefined) return nobody('/id not_found')
  if (known.seen.has(id)) return nobody('/id repeated')
  known.seen.add(id)
  return changeByRow(row, before, known)
}

export const batchPersonnel: Rule = (world, { body }, heard) => {
  const rows: Row[] = body['data']
  const taken = tryRows(world, rows, heard.body)
  const flaws = taken.map(({ refusals }, index) => flawsOf(refusals, index))
  const isFlawed = flaws.some(({ length }) => length > 0)
  const created = rows.filter(({ id }) => id === undefined).length
  const effects = taken.map(({ effect }) => effect)
  const refusals = [
    unless(!isFlawed, {
      code: 'validation_failed',
      flaws: flaws.filter(({ length }) => length > 0),
    }),
    created > 0 ? refuseFull(world, 'people', created) : null,
  ]
  return attempt([refusals], () => ({
    things: effects.flatMap(({ things }) => things),
    events: effects.flatMap(({ events }) => events),
    answer: (then) => ({
      data: taken.map(({ after: { id } }) => then.person.get(id)),
      count: rows.length,
      created,
      changed: effects.filter((effect) => effect !== nothing).length - created,
    }),
  }))
}
