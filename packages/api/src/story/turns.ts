import type { NewProject } from '@muster/contract'

import type { StoryIssue } from './issues.ts'
import type { StoryRating, StoryRisk } from './risks.ts'

/** What was said of a risk in a meeting. A rating that is left out stays. */
interface Review {
  readonly likelihood?: StoryRating
  readonly impact?: StoryRating
  readonly note: string
  readonly review_on: string
}

interface Acceptance {
  /** The key of a person. */
  readonly by: string
  /** Counted from the day the story is told: an acceptance cannot begin expired. */
  readonly for_days: number
  readonly rationale: string
}

/** Something that happened to a risk, an issue or a project that was there already. */
export type StoryTurn =
  | { readonly risk: string; readonly reviewed: Review }
  | { readonly risk: string; readonly accepted: Acceptance }
  | { readonly risk: string; readonly occurred: string }
  | { readonly risk: string; readonly closed: NonNullable<StoryRisk['close']> }
  | { readonly risk: string; readonly reopened: string }
  | { readonly issue: string; readonly closed: NonNullable<StoryIssue['close']> }
  | { readonly issue: string; readonly reopened: string }
  | { readonly project: string; readonly health: Health; readonly because: string }

type Health = NonNullable<NewProject['health']>

/**
 * What became of some of them, in the order in which it happened. Each is named by its reference;
 * an issue that a risk became gets the next number of its project.
 */
export const turns: readonly StoryTurn[] = [
  {
    risk: 'DAM-R1',
    reviewed: {
      likelihood: 2,
      note: 'The cofferdam is a metre higher since August, which holds back the 50-year flood.',
      review_on: '2027-01-14',
    },
  },
  {
    risk: 'DAM-R8',
    reviewed: {
      likelihood: 4,
      note: 'The silt curtain is in. One reading since then was above the limit; before, three.',
      review_on: '2026-11-19',
    },
  },
  {
    risk: 'DAM-R12',
    reviewed: {
      likelihood: 3,
      note: 'Five of twelve drains are flushed and run clear; uplift fell by a fifth.',
      review_on: '2027-01-15',
    },
  },
  {
    risk: 'BRG-R1',
    reviewed: {
      likelihood: 4,
      note: 'The hole beside the riprap is 3.1 m deep; in May it was 1.8 m.',
      review_on: '2026-11-19',
    },
  },
  {
    risk: 'BRG-R10',
    reviewed: {
      likelihood: 5,
      note: 'Another 40 mm since the last meeting. It does not slow down.',
      review_on: '2026-11-19',
    },
  },
  {
    risk: 'TUN-R1',
    reviewed: {
      likelihood: 4,
      note: 'Seismics put the fault 60 m nearer than drawn.',
      review_on: '2026-10-29',
    },
  },
  {
    risk: 'TUN-R1',
    reviewed: {
      likelihood: 5,
      note: 'Probe holes gave 38 l/s at 9 bar. Nobody goes in before the fault is grouted.',
      review_on: '2026-11-19',
    },
  },
  {
    risk: 'CTRL-R1',
    reviewed: {
      note: 'The supplier dials in only while one of us watches. The rating stays as it is.',
      review_on: '2026-11-26',
    },
  },
  {
    risk: 'BRG-R3',
    accepted: {
      by: 'anneliese',
      for_days: 21,
      rationale: 'A second lifting frame costs more than ten days. We look again before Christmas.',
    },
  },
  {
    risk: 'DAM-R15',
    accepted: {
      by: 'lukasz',
      for_days: 180,
      rationale: 'Marks are set again in an hour; a fence would be in the way every day.',
    },
  },
  {
    risk: 'BRG-R12',
    accepted: {
      by: 'jose',
      for_days: 90,
      rationale: 'A lift that pauses for a quarter of an hour harms nobody.',
    },
  },
  {
    risk: 'PUMP-R4',
    accepted: {
      by: 'henrik',
      for_days: 9,
      rationale: 'It will smell for two afternoons, and everyone has been told when.',
    },
  },
  {
    risk: 'MOVE-R4',
    accepted: {
      by: 'priya',
      for_days: 365,
      rationale: 'Those without a desk work from home for a week.',
    },
  },
  {
    risk: 'DAM-R17',
    occurred: 'The road stood 12 cm higher at the bend on the first cold morning.',
  },
  { risk: 'BRG-R14', occurred: 'The storm of 24 October took two of the six dolphins.' },
  { risk: 'MOVE-R5', occurred: 'It rained into the third floor on 9 September.' },
  { risk: 'CTRL-R7', occurred: 'Four of forty controllers lose their clock when the power fails.' },
  {
    issue: 'CTRL-I5',
    closed: { reason: 'resolved', note: 'Version 3.2 keeps the clock; the test was run again.' },
  },
  { risk: 'CTRL-R7', reopened: 'The controllers of the second delivery have not been tested yet.' },
  { risk: 'TUN-R3', reopened: 'The shale comes back at 1+790, as the new probe holes show.' },
  { issue: 'DAM-I1', reopened: 'The culvert is blocked, and the ramp is washing out again.' },
  {
    risk: 'FLOOD-R2',
    closed: { reason: 'treated', note: 'The supplier changed all batteries under the warranty.' },
  },
  { project: 'DAM', health: 'at_risk', because: 'Seepage at the toe has doubled.' },
  {
    project: 'BRG',
    health: 'off_track',
    because: 'No deck segment has been landed since 24 October.',
  },
  { project: 'TUN', health: 'off_track', because: 'The heading stands at the Kvarnberg fault.' },
]
