import { bridgeReviews } from './reviews-bridge.ts'
import { damReviews } from './reviews-dam.ts'
import { otherReviews } from './reviews-others.ts'
import type { RiskEvent } from './types.ts'

const acceptances: readonly RiskEvent[] = [
  {
    on: -25,
    risk: 'BRG-R3',
    accepted: {
      by: 'anneliese',
      expires_on: 21,
      rationale: 'A second lifting frame costs more than ten days. We look again in six weeks.',
    },
  },
  {
    on: -90,
    risk: 'DAM-R15',
    accepted: {
      by: 'lukasz',
      expires_on: 90,
      rationale: 'Marks are set again in an hour; a fence would be in the way every day.',
    },
  },
  {
    on: -85,
    risk: 'BRG-R12',
    accepted: {
      by: 'jose',
      expires_on: 5,
      rationale: 'A lift that pauses for a quarter of an hour does no harm.',
    },
  },
  {
    on: -60,
    risk: 'PUMP-R4',
    accepted: {
      by: 'henrik',
      expires_on: -4,
      rationale: 'It will smell for two afternoons, and everyone knows when.',
    },
  },
  {
    on: -120,
    risk: 'MOVE-R4',
    accepted: {
      by: 'priya',
      expires_on: 245,
      rationale: 'Those without a desk work from home for a week.',
    },
  },
]

const turns: readonly RiskEvent[] = [
  { on: -68, risk: 'MOVE-R5', occurred: 'It rained into the third floor last night.' },
  {
    on: -50,
    risk: 'FLOOD-R2',
    closed: { reason: 'treated', note: 'The supplier changed all batteries under the warranty.' },
  },
  {
    on: -41,
    risk: 'CTRL-R7',
    occurred: 'Four of forty controllers lose their clock when the power fails.',
  },
  { on: -23, risk: 'BRG-R14', occurred: 'The storm took two of the six dolphins.' },
  {
    on: -20,
    risk: 'CTRL-R7',
    reopened: 'The controllers of the second delivery have not been tested yet.',
  },
  { on: -12, risk: 'DAM-R17', occurred: 'The road sank 12 cm at the bend within a week.' },
  {
    on: -9,
    risk: 'TUN-R3',
    reopened: 'The shale comes back at 1+790, as the new probe holes show.',
  },
]

/** What happens to the risks after they are created. */
export const riskEvents: readonly RiskEvent[] = [
  ...damReviews,
  ...bridgeReviews,
  ...otherReviews,
  ...acceptances,
  ...turns,
]
