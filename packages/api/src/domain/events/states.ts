import { type LoggedEvent, type Scope, type StateNoun, stateNouns } from '@muster/contract'

import { completeState, type State } from '#domain/engine/states'
import { TimeSlice } from '#domain/engine/time-slice'
import { presentRisk } from '#domain/projects/risk-levels'
import { type KeptState, selectStates } from '#storage/nouns/events'
import type { StoredRisk } from '#storage/nouns/risks'
import { nouns } from '#storage/schema/nouns'
import type { Read } from '#storage/statements/access'

/** The state as the GET of the resource returns it. */
function presentState(noun: StateNoun, state: State): State {
  const complete = completeState(noun, state)
  if (noun !== 'risk') return complete
  // The cast holds because the state of a risk has the fields of its row.
  return completeState(noun, presentRisk(complete as unknown as StoredRisk))
}

interface Named {
  readonly type: StateNoun
  readonly id: string
}

const isStateNoun = (noun: string): noun is StateNoun => stateNouns.some((each) => each === noun)

/** The subject, and the member whom the event added to a group or removed. */
function subjectsOf({ type, subject, details }: LoggedEvent): Named[] {
  const own = isStateNoun(subject.type) ? [{ type: subject.type, id: subject.id }] : []
  const { user_id: member } = details
  const isMember = type === 'group.member_added' || type === 'group.member_removed'
  return isMember && typeof member === 'string' ? [...own, { type: 'person', id: member }] : own
}

/** A page ends before its states exceed this. A state has at most a few hundred kilobytes. */
const statesBytesMax = 8 * 1024 ** 2

/** The states of this number of events are read at once. A cut page has read few in vain. */
const eventsAtOnce = 50

/**
 * Adds the states that the writes of the events gave their subjects, if the scopes show those.
 * Returns the first events alone if the states of all are too large, and at least one.
 */
export async function addStates(
  read: Read,
  scopes: readonly Scope[],
  events: readonly LoggedEvent[],
): Promise<LoggedEvent[]> {
  const slice = new TimeSlice()
  const added: LoggedEvent[] = []
  let bytes = 0
  for (let first = 0; first < events.length; first += eventsAtOnce) {
    const subjects = events.slice(first, first + eventsAtOnce).map((event) => ({
      event,
      shown: subjectsOf(event).filter(({ type }) => scopes.includes(nouns[type].scope)),
    }))
    const kept = await keptStates(read, subjects)
    for (const { event, shown } of subjects) {
      const found = shown.map(({ type, id }) => ({ type, id, kept: kept.get(nameOf(id, event)) }))
      bytes += found.reduce((sum, each) => sum + bytesOf(each.kept), 0)
      if (bytes > statesBytesMax && added.length > 0) return added
      const states = found.map(({ type, id, kept: of }) => ({
        type,
        id,
        state: of === undefined ? null : presentState(type, stateOf(of)),
      }))
      added.push({ ...event, states })
      await slice.step()
    }
  }
  return added
}

interface Subjects {
  readonly event: LoggedEvent
  readonly shown: readonly Named[]
}

const nameOf = (id: string, { seq }: Pick<LoggedEvent, 'seq'>) => `${id} ${seq}`

async function keptStates(
  read: Read,
  subjects: readonly Subjects[],
): Promise<ReadonlyMap<string, KeptState>> {
  const wanted = subjects.flatMap(({ event: { seq }, shown }) =>
    shown.map(({ id }) => ({ id, seq })),
  )
  const kept = wanted.length === 0 ? [] : await selectStates(read, wanted)
  return new Map(kept.map((each) => [nameOf(each.id, each), each]))
}

const bytesOf = (kept: KeptState | undefined): number =>
  Buffer.byteLength(kept?.data ?? '') + Buffer.byteLength(kept?.metadata ?? '')

/** A state is kept before its number is known. */
const stateOf = ({ seq, data, metadata }: KeptState): State => ({
  ...JSON.parse(data),
  version: seq,
  metadata: metadata === null ? {} : JSON.parse(metadata),
})
