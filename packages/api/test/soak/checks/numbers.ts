import type { Verdict } from './verdict.ts'

/** An event, and when its transaction was committed, in microseconds. */
export interface Told {
  readonly seq: number
  readonly position: number
  readonly committedAt: number
}

/** The numbers of one workspace: none is missing, none is there twice, each later than the last. */
export function checkNumbers(events: readonly Told[], counter: number): Verdict {
  const inOrder = events.toSorted((a, b) => a.seq - b.seq || a.position - b.position)
  let last: Told = { seq: 0, position: 0, committedAt: 0 }
  for (const each of inOrder) {
    const because = faultBetween(last, each)
    if (because !== null) return { because, example: [last, each] }
    last = each
  }
  if (last.seq === counter) return null
  return {
    because: `The counter is at ${counter}, and the last event is another.`,
    example: [last],
  }
}

function faultBetween(last: Told, next: Told): string | null {
  if (next.seq === last.seq) {
    if (next.position === last.position) return 'A number was given out twice.'
    if (next.position !== last.position + 1) return 'A part of a step is missing.'
    return next.committedAt === last.committedAt ? null : 'One number is of two transactions.'
  }
  if (next.seq !== last.seq + 1) return 'A number is missing between these.'
  if (next.position !== 0) return 'The first part of a step is missing.'
  return next.committedAt < last.committedAt ? 'The later number was committed first.' : null
}

/** A collection as a reader saw it: how far it had come, and the version of everything in it. */
export interface Poll {
  readonly asOf: number
  readonly versions: ReadonlyMap<string, number>
}

/**
 * Whoever has read up to a number has read everything below it: nothing that they see later is of
 * a number that they have passed, but what they saw there. A reader's polls, in order.
 */
export function checkPolls(polls: readonly Poll[]): Verdict {
  for (const [index, poll] of polls.entries()) {
    const ahead = [...poll.versions].find(([, version]) => version > poll.asOf)
    if (ahead) return { because: `This is of later than ${poll.asOf}.`, example: [ahead] }
    const before = polls[index - 1]
    if (!before) continue
    if (poll.asOf < before.asOf) {
      return { because: 'A reader went back.', example: [before.asOf, poll.asOf] }
    }
    const late = [...poll.versions].find(
      ([id, version]) => version <= before.asOf && before.versions.get(id) !== version,
    )
    if (!late) continue
    const [id] = late
    const because = `This appeared below ${before.asOf}, which was read before.`
    return { because, example: [late, [id, before.versions.get(id) ?? null]] }
  }
  return null
}
