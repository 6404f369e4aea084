import { createHash } from 'node:crypto'

import {
  eventTypes,
  type Input,
  isGranted,
  limits,
  type LoggedEvent,
  type Operations,
  type Output,
  type Scope,
} from '@muster/contract'

import type { Principal } from '#domain/auth/authenticate'
import type { Caller } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import {
  type EventPage,
  type EventPlace,
  type EventQuery,
  type FollowedEvent,
  selectEventPage,
  writeEnd,
} from '#storage/nouns/events'
import { selectKnownTerm, selectTermStarts, type TermStart } from '#storage/numbers/term-starts'
import { nounOf } from '#storage/schema/nouns'
import type { Counters, Snapshot } from '#storage/statements/access'

import {
  commonPast,
  earlierTerms,
  type EventPosition,
  readPosition,
  termsUpTo,
  writePosition,
} from './position.ts'
import { addStates } from './states.ts'
import { eventScopes, typesOf } from './visibility.ts'

type List = Operations['events']['list']

/** Of a request that leaves events out, this many are read for each that it can return. */
const scannedForEach = 20
const scannedMax = 5000

/** The events after a position, in the order of their numbers. */
export function listEvents(
  caller: Caller<'any_principal'>,
  query: Input<List>['query'],
): Promise<Output<List>> {
  const { limit = limits.page.default, include = [] } = query
  const scopes = eventScopesOf(caller)
  return caller.database.snapshot(caller, async (snapshot) => {
    const counters = await snapshot.counters
    const log: Log = { snapshot, counters, label: labelOf(scopes, snapshot.view) }
    const after = await startOf(log, query.after)
    const matching = matchingOf(query, scopes)
    const scanned = scannedOf(matching, snapshot, limit)
    const page = await selectEventPage(snapshot, { after, ...matching, scanned, limit })
    const shown = page.events.slice(0, limit)
    const end = endOf(page, { limit, through: counters.seq })
    const positionOf = await positionsOf(log, shown[0] ?? end, end)
    const all = shown.map((event, at) => ({
      ...presentEvent(event),
      position: positionOf(event),
      is_last_of_write: page.events[at + 1]?.seq !== event.seq,
    }))
    const data = include.includes('states') ? await addStates(snapshot, scopes, all) : all
    const lastOfSome = data.length < all.length ? data.at(-1) : undefined
    return {
      data,
      count: data.length,
      position: lastOfSome?.position ?? positionOf(end),
      has_more: lastOfSome !== undefined || page.events.length > limit || page.isCut,
      through: counters.seq,
    }
  })
}

type Matching = Pick<EventQuery, 'types' | 'subjectIds' | 'projectIds'>

/** The events that the caller may see and asks for. */
const matchingOf = (query: Input<List>['query'], scopes: readonly Scope[]): Matching => ({
  types: typesOf(scopes, query.type),
  subjectIds: query.subject_id ?? null,
  projectIds: query.project_id ?? null,
})

/** How many events are read for a page. */
function scannedOf({ types, subjectIds, projectIds }: Matching, { view }: Snapshot, limit: number) {
  const hasAll = types.length === eventTypes.length && view.isAll
  if (hasAll && (subjectIds ?? projectIds) === null) return limit + 1
  return Math.min(scannedMax, scannedForEach * limit)
}

/**
 * The empty page of a reader who has read everything, without a query: authentication has read the
 * last number. Null for any other reader.
 */
export function unchangedEvents(
  reader: Reader & Pick<Principal, 'epoch' | 'seq' | 'terms' | 'firsts'>,
  after: string | undefined,
): Output<List> | null {
  const { epoch, seq, firsts } = reader
  const starts = reader.terms.map((term, at): TermStart => [term, firsts[at] ?? 0])
  const terms = termsUpTo(starts, seq)
  const label = readerLabel(reader)
  const position = writePosition({ epoch, seq, index: writeEnd, terms, label })
  if (after !== 'now' && after !== position) return null
  return { data: [], count: 0, position, has_more: false, through: seq }
}

/** The log as one caller sees it. */
interface Log {
  readonly snapshot: Snapshot
  readonly counters: Counters
  readonly label: string
}

/** Who reads the log. */
interface Reader extends Pick<Principal, 'view'> {
  readonly scopes: readonly Scope[]
}

const eventScopesOf = ({ scopes }: Pick<Reader, 'scopes'>) =>
  eventScopes.filter((scope) => isGranted(scopes, scope))

/** A short name of what the reader sees. A copy of the log is complete only for one of them. */
export const readerLabel = (reader: Reader) => labelOf(eventScopesOf(reader), reader.view)

const labelOf = (scopes: readonly string[], view: Reader['view']): string =>
  createHash('sha256')
    .update(JSON.stringify([scopes, view.label]))
    .digest('base64url')
    .slice(0, 8)

/** After the last event that was read. A page that is not full ends after a whole write. */
function endOf(
  { events, lastSeq, isCut }: EventPage,
  { limit, through }: { readonly limit: number; readonly through: number },
): EventPlace {
  const last = events[limit - 1]
  if (events.length > limit && last !== undefined) return last
  return { seq: isCut ? (lastSeq ?? through) : through, index: writeEnd }
}

/** Where the page begins. Refuses a position whose past is not that of the workspace. */
async function startOf(log: Log, after: string | undefined): Promise<EventPlace> {
  const { snapshot, counters, label } = log
  if (after === undefined) return { seq: 0, index: writeEnd }
  if (after === 'now') return { seq: counters.seq, index: writeEnd }
  const position = readPosition(after)
  if (position === null) {
    const detail = '`after` must be a `position` of this workspace, or `now`.'
    throw new Failure('invalid_parameter', detail)
  }
  if (position.epoch !== counters.epoch) throw lost('unknown_term')
  if (position.label !== label) throw lost('view_changed')
  if (position.seq === 0) return position
  const known = await selectKnownTerm(snapshot, counters, position.terms)
  if (known === null) throw lost('unknown_term')
  const common = commonPast(position, known, counters.seq)
  if (position.seq <= common) return position
  const place = { seq: common, index: writeEnd }
  const positionOf = await positionsOf(log, place, place)
  throw lost('numbers_lost', { seq: common, position: positionOf(place) })
}

type Loss = 'numbers_lost' | 'unknown_term' | 'view_changed'

const advice: Readonly<Record<Loss, string>> = {
  numbers_lost:
    'A failover or a restore lost numbers that you have read. Read every resource again that you ' +
    'hold with a `version` above `resume_seq`, and continue at `resume_after`.',
  unknown_term: 'The position is of another database. Begin again without `after`.',
  view_changed:
    'Your scopes or projects have changed since. Get a position with `after=now`, then read the ' +
    'lists again, and continue there.',
}

interface Resume {
  readonly seq: number
  readonly position: string
}

const lost = (reason: Loss, resume: Resume | null = null) =>
  new Failure('position_lost', advice[reason], {
    reason,
    resume_after: resume?.position ?? null,
    resume_seq: resume?.seq ?? null,
  })

/** Writes the positions of places between these two. */
async function positionsOf({ snapshot, counters, label }: Log, from: EventPlace, to: EventPlace) {
  const numbers = { from: from.seq, to: to.seq, before: earlierTerms }
  const starts = await selectTermStarts(snapshot, counters, numbers)
  const { epoch } = counters
  return ({ seq, index }: EventPlace): string => {
    const position: EventPosition = { epoch, seq, index, terms: termsUpTo(starts, seq), label }
    return writePosition(position)
  }
}

type Presented = Omit<LoggedEvent, 'position' | 'is_last_of_write'>

/** The cast holds because the service records only actors of the contract. */
function presentEvent({ subject_id, actor, changed, data, ...event }: FollowedEvent): Presented {
  const { index: _, ...rest } = event
  const { note = null, ...details } = data
  return {
    ...rest,
    subject: { type: nounOf(event.type), id: subject_id },
    actor: actor as LoggedEvent['actor'],
    changed: [...changed],
    note: typeof note === 'string' ? note : null,
    details,
  }
}
