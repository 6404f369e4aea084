import { type EventType, eventTypes, stepsMax } from '@muster/contract'

import { TimeSlice } from '#domain/engine/time-slice'
import { type ChangeStep, stepsBetween } from '#storage/nouns/changes'
import { type States, statesAt } from '#storage/nouns/states-at'
import type { StoredTask } from '#storage/nouns/tasks'
import { nounOf } from '#storage/schema/nouns'
import type { Read } from '#storage/statements/access'
import { uuidOf } from '#storage/values/id'

/** Between two sequence numbers: after `since`, up to `until`. */
export interface Interval {
  readonly since: number
  readonly until: number
}

/** What happened to one item. A task counts for the risk or the issue that it is for. */
export interface Touched {
  readonly id: string
  /** The number of the first step. */
  first: number
  count: number
  /** The last steps, oldest first. */
  steps: ChangeStep[]
  /** Of its own events: how many of each type, the fields they name, and their projects. */
  readonly types: Map<EventType, number>
  readonly changed: Set<string>
  readonly projects: Set<string>
}

export interface TouchedItems {
  readonly risk: Map<string, Touched>
  readonly issue: Map<string, Touched>
  readonly project: Map<string, Touched>
  readonly tasks: readonly TouchedTask[]
  /** Whether steps were left out because there are too many. */
  readonly isCut: boolean
}

/** A task that changed, as it was at both points. */
export interface TouchedTask {
  readonly touched: Touched
  readonly before: StoredTask | null
  readonly after: StoredTask | null
}

const touchedNouns = ['risk', 'issue', 'task', 'project'] as const
type TouchedNoun = (typeof touchedNouns)[number]

const isTouchedNoun = (noun: string): noun is TouchedNoun =>
  touchedNouns.some((each) => each === noun)

const types = eventTypes.filter((type) => isTouchedNoun(nounOf(type)))

/** The steps that are read. An interval with more is cut. */
const stepsReadMax = 200_000

/** Collects the steps of every item between the points. */
export async function readTouched(read: Read, interval: Interval): Promise<TouchedItems> {
  const found = {
    risk: new Map<string, Touched>(),
    issue: new Map<string, Touched>(),
    task: new Map<string, Touched>(),
    project: new Map<string, Touched>(),
  }
  const slice = new TimeSlice()
  let count = 0
  for await (const steps of stepsBetween(read, { ...interval, types })) {
    for (const step of steps) {
      const noun = nounOf(step.type)
      if (isTouchedNoun(noun)) addStep(touchedIn(found[noun], step.subject_id), step)
      await slice.step()
    }
    count += steps.length
    if (count >= stepsReadMax) break
  }
  const tasks = await readTasks(read, interval, found.task)
  for (const { touched, before, after } of tasks) {
    const { risk_id = null, issue_id = null } = after ?? before ?? {}
    if (risk_id !== null) addTask(touchedIn(found.risk, risk_id), touched)
    if (issue_id !== null) addTask(touchedIn(found.issue, issue_id), touched)
  }
  return { ...found, tasks, isCut: count >= stepsReadMax }
}

function touchedIn(items: Map<string, Touched>, id: string): Touched {
  const known = items.get(id)
  if (known) return known
  const touched: Touched = {
    id,
    first: Number.MAX_SAFE_INTEGER,
    count: 0,
    steps: [],
    types: new Map(),
    changed: new Set(),
    projects: new Set(),
  }
  items.set(id, touched)
  return touched
}

/** Each list has at most twice as many steps as it shows. */
function addStep(touched: Touched, step: ChangeStep): void {
  touched.first = Math.min(touched.first, step.seq)
  touched.count += 1
  touched.steps.push(step)
  if (touched.steps.length > 2 * stepsMax) touched.steps = touched.steps.slice(-stepsMax)
  touched.types.set(step.type, (touched.types.get(step.type) ?? 0) + 1)
  for (const field of step.changed) touched.changed.add(field)
  touched.projects.add(step.project_id)
}

function addTask(touched: Touched, task: Touched): void {
  touched.first = Math.min(touched.first, task.first)
  touched.count += task.count
  const steps = [...touched.steps, ...task.steps]
  touched.steps = steps.toSorted((a, b) => a.seq - b.seq).slice(-stepsMax)
}

const idsAtOnce = 1000

async function readTasks(
  read: Read,
  { since, until }: Interval,
  touched: ReadonlyMap<string, Touched>,
): Promise<TouchedTask[]> {
  const all = [...touched.values()]
  const tasks: TouchedTask[] = []
  for (let first = 0; first < all.length; first += idsAtOnce) {
    const some = all.slice(first, first + idsAtOnce)
    const ids = some.map(({ id }) => id)
    const before = await readStates(read, { noun: 'task', seq: since, ids })
    const after = await readStates(read, { noun: 'task', seq: until, ids })
    tasks.push(
      ...some.map((each) => ({
        touched: each,
        before: before.get(each.id) ?? null,
        after: after.get(each.id) ?? null,
      })),
    )
  }
  return tasks
}

type ItemNoun = Exclude<keyof States, 'project'>

interface StatesQuery<N extends ItemNoun> {
  readonly noun: N
  readonly seq: number
  readonly ids: readonly string[]
}

/** Items as they were, by id: of projects, then and now, that the view shows. */
export async function readStates<N extends ItemNoun>(
  read: Read,
  { noun, seq, ids }: StatesQuery<N>,
): Promise<Map<string, States[N]>> {
  const query = { noun, seq, scope: read.view.scope(), ids: ids.map(uuidOf) }
  const states = new Map<string, States[N]>()
  for await (const chunk of statesAt(read, query)) {
    for (const state of chunk) {
      if (read.view.shows(state.project_id)) states.set(state.id, state)
    }
  }
  return states
}
