import type { Verdict } from '#test/soak/verdict'

/** An event with the commit time of its transaction in microseconds. */
export interface CommittedEvent {
  readonly seq: number
  readonly position: number
  readonly committedAt: number
}

/** The sequence numbers of a workspace have no gap and no duplicate, and follow commit order. */
export function checkNumbers(events: readonly CommittedEvent[], counter: number): Verdict {
  const inOrder = events.toSorted((a, b) => a.seq - b.seq || a.position - b.position)
  let last: CommittedEvent = { seq: 0, position: 0, committedAt: 0 }
  for (const each of inOrder) {
    const because = faultBetween(last, each)
    if (because !== null) return { because, example: [last, each] }
    last = each
  }
  if (last.seq === counter) return null
  return {
    because: `The counter is at ${counter}, but the last event has another number.`,
    example: [last],
  }
}

function faultBetween(last: CommittedEvent, next: CommittedEvent): string | null {
  if (next.seq === last.seq) {
    if (next.position === last.position) return 'A number was assigned twice.'
    if (next.position !== last.position + 1) return 'An event of a write is missing.'
    return next.committedAt === last.committedAt ? null : 'One number was used by two transactions.'
  }
  if (next.seq !== last.seq + 1) return 'A number is missing between these.'
  if (next.position !== 0) return 'The first event of a write is missing.'
  return next.committedAt < last.committedAt ? 'The later number was committed first.' : null
}

/** A complete read of a collection: its `as_of`, and the version of every item. */
export interface Poll {
  readonly asOf: number
  readonly versions: ReadonlyMap<string, number>
}

/**
 * A reader that has read up to a number has read everything below it: no later poll shows a new
 * version at or below that number. Takes the polls of one reader, in order.
 */
export function checkPolls(polls: readonly Poll[]): Verdict {
  for (const [index, poll] of polls.entries()) {
    const ahead = [...poll.versions].find(([, version]) => version > poll.asOf)
    if (ahead) return { because: `A version is later than ${poll.asOf}.`, example: [ahead] }
    const before = polls[index - 1]
    if (!before) continue
    if (poll.asOf < before.asOf) {
      return { because: 'as_of went back.', example: [before.asOf, poll.asOf] }
    }
    const late = [...poll.versions].find(
      ([id, version]) => version <= before.asOf && before.versions.get(id) !== version,
    )
    if (!late) continue
    const [id] = late
    const because = `A version appeared below ${before.asOf}, which was read before.`
    return { because, example: [late, [id, before.versions.get(id) ?? null]] }
  }
  return null
}
