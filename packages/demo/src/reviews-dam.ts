import type { RiskEvent } from './types.ts'

/** The reviews of the risks of the Norrfors dam. */
export const damReviews: readonly RiskEvent[] = [
  {
    on: -180,
    risk: 'DAM-R1',
    reviewed: {
      likelihood: 3,
      note: 'The pumps in the work area are doubled. A flood that is too large is rarer now.',
      review_on: -80,
    },
  },
  {
    on: -78,
    risk: 'DAM-R1',
    reviewed: {
      likelihood: 2,
      note: 'The cofferdam is a metre higher, which holds back the 50-year flood.',
      review_on: 59,
    },
  },
  {
    on: -110,
    risk: 'DAM-R2',
    reviewed: {
      likelihood: 1,
      note: 'Two more piezometers in the core show no gradient.',
      review_on: 17,
    },
  },
  {
    on: -95,
    risk: 'DAM-R3',
    reviewed: {
      likelihood: 3,
      note: 'Two of the four cores contain reactive aggregate.',
      review_on: 10,
    },
  },
  {
    on: -98,
    risk: 'DAM-R4',
    reviewed: {
      likelihood: 2,
      note: 'The trunnions are delivered in two parts, which the crane can lift.',
      review_on: 66,
    },
  },
  {
    on: -130,
    risk: 'DAM-R6',
    reviewed: {
      impact: 2,
      note: 'Heated formwork is on site, so a stop costs days and no longer weeks.',
      review_on: 115,
    },
  },
  {
    on: -151,
    risk: 'DAM-R8',
    reviewed: {
      likelihood: 4,
      note: 'Background readings are higher than in the application for the permit.',
      review_on: -90,
    },
  },
  {
    on: -88,
    risk: 'DAM-R8',
    reviewed: {
      likelihood: 5,
      note: 'Three readings in the first month of dredging were above the limit.',
      review_on: -39,
    },
  },
  {
    on: -33,
    risk: 'DAM-R8',
    reviewed: {
      likelihood: 4,
      note: 'The silt curtain is in. One reading since then was above the limit; before, three.',
      review_on: 3,
    },
  },
  {
    on: -89,
    risk: 'DAM-R9',
    reviewed: {
      likelihood: 1,
      note: 'Anchors are grouted within two days of drilling.',
      review_on: 94,
    },
  },
  {
    on: -32,
    risk: 'DAM-R12',
    reviewed: {
      likelihood: 3,
      note: 'Five of twelve drains are flushed and run clear; uplift fell by a fifth.',
      review_on: 60,
    },
  },
  {
    on: -57,
    risk: 'DAM-R13',
    reviewed: {
      impact: 2,
      note: 'Two thirds of the payments are fixed by a forward contract.',
      review_on: 31,
    },
  },
  {
    on: -72,
    risk: 'DAM-R14',
    reviewed: {
      likelihood: 3,
      note: 'The fence was cut twice more. A sentry stands there on blasting days now.',
      review_on: -20,
    },
  },
  {
    on: -20,
    risk: 'DAM-R14',
    reviewed: { likelihood: 2, note: 'No one has passed the sentry since then.', review_on: 24 },
  },
]
