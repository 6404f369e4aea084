import type { RiskEvent } from './types.ts'

/** The reviews of the risks of the Sund crossing. */
export const bridgeReviews: readonly RiskEvent[] = [
  {
    on: -188,
    risk: 'BRG-R1',
    reviewed: {
      likelihood: 3,
      note: 'The first sonar survey shows a hole 1.2 m deep where the bed was level.',
      review_on: -130,
    },
  },
  {
    on: -129,
    risk: 'BRG-R1',
    reviewed: {
      likelihood: 2,
      note: '200 tonnes of rock were placed beside the riprap, and the hole is filled.',
      review_on: -70,
    },
  },
  {
    on: -66,
    risk: 'BRG-R1',
    reviewed: {
      likelihood: 3,
      note: 'The hole is back, 1.8 m deep, on the other side of the rock.',
      review_on: -33,
    },
  },
  {
    on: -31,
    risk: 'BRG-R1',
    reviewed: {
      likelihood: 4,
      note: 'The hole is 3.1 m deep and within two metres of the footing.',
      review_on: 3,
    },
  },
  {
    on: -140,
    risk: 'BRG-R2',
    reviewed: {
      likelihood: 2,
      note: 'A guard vessel is on station when the channel is open.',
      review_on: 24,
    },
  },
  {
    on: -90,
    risk: 'BRG-R3',
    reviewed: {
      impact: 3,
      note: 'The segments that are left can wait on the barges.',
      review_on: 52,
    },
  },
  {
    on: -79,
    risk: 'BRG-R4',
    reviewed: {
      likelihood: 4,
      note: 'The mill has moved the rolling date for the second time.',
      review_on: 10,
    },
  },
  {
    on: -102,
    risk: 'BRG-R6',
    reviewed: {
      likelihood: 2,
      note: 'The supplier has shown its accounts and a guarantee of its bank.',
      review_on: 87,
    },
  },
  {
    on: -94,
    risk: 'BRG-R10',
    reviewed: {
      likelihood: 3,
      note: 'Settlement is 210 mm, and 220 mm were foreseen in all.',
      review_on: -52,
    },
  },
  {
    on: -51,
    risk: 'BRG-R10',
    reviewed: {
      likelihood: 4,
      note: '270 mm. The surcharge stays on for the time being.',
      review_on: -12,
    },
  },
  {
    on: -11,
    risk: 'BRG-R10',
    reviewed: {
      likelihood: 5,
      note: 'Another 40 mm since the last meeting. It does not slow down.',
      review_on: 3,
    },
  },
]
