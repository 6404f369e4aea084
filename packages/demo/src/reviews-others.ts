import type { RiskEvent } from './types.ts'

/** The reviews of the risks of the smaller projects. */
export const otherReviews: readonly RiskEvent[] = [
  {
    on: -200,
    risk: 'TUN-R1',
    reviewed: {
      likelihood: 2,
      note: 'The first probe holes ahead of the face are dry.',
      review_on: -130,
    },
  },
  {
    on: -131,
    risk: 'TUN-R1',
    reviewed: {
      likelihood: 3,
      note: 'Two probe holes give 4 l/s. The rock is more broken than foreseen.',
      review_on: -60,
    },
  },
  {
    on: -60,
    risk: 'TUN-R1',
    reviewed: {
      likelihood: 4,
      note: 'Seismics put the fault 60 m nearer than drawn.',
      review_on: -18,
    },
  },
  {
    on: -13,
    risk: 'TUN-R1',
    reviewed: {
      likelihood: 5,
      note: 'Probe holes gave 38 l/s at 9 bar. No one goes in before the fault is grouted.',
      review_on: 3,
    },
  },
  {
    on: -86,
    risk: 'TUN-R2',
    reviewed: {
      likelihood: 2,
      note: 'Stress measurements at 1+400 are below those of the model.',
      review_on: 59,
    },
  },
  {
    on: -58,
    risk: 'TUN-R4',
    reviewed: {
      likelihood: 3,
      note: 'With smaller rounds the peak velocity fell to 80 % of the limit.',
      review_on: 17,
    },
  },
  {
    on: -1,
    risk: 'TUN-R4',
    reviewed: {
      note: 'A crack in a chimney was reported. All measured velocities stay below the limit.',
      review_on: 17,
    },
  },
  {
    on: -30,
    risk: 'TUN-R6',
    reviewed: {
      likelihood: 3,
      note: 'A spare boom is reserved at the maker, a week away.',
      review_on: 80,
    },
  },
  {
    on: -37,
    risk: 'PUMP-R1',
    reviewed: {
      likelihood: 3,
      note: 'The operator has not named a date, and asks for another cable route.',
      review_on: 24,
    },
  },
  {
    on: -46,
    risk: 'PUMP-R2',
    reviewed: {
      likelihood: 4,
      note: 'Drilling ahead helps: seven of nine piles reached their depth.',
      review_on: -2,
    },
  },
  {
    on: -54,
    risk: 'FISH-R1',
    reviewed: {
      note: 'Half of the model tests are done. The rating stays as it is.',
      review_on: 73,
    },
  },
  {
    on: -120,
    risk: 'CTRL-R1',
    reviewed: {
      likelihood: 3,
      note: 'The link is off except for booked visits of the supplier.',
      review_on: -20,
    },
  },
  {
    on: -18,
    risk: 'CTRL-R1',
    reviewed: {
      note: 'The supplier dials in only while one of us watches. The rating stays as it is.',
      review_on: 10,
    },
  },
  {
    on: -62,
    risk: 'CTRL-R2',
    reviewed: {
      likelihood: 2,
      note: 'At Lillfors two people tested every signal and found three errors in time.',
      review_on: 24,
    },
  },
  {
    on: -74,
    risk: 'CTRL-R4',
    reviewed: {
      impact: 4,
      note: 'Seven stations depend on the converter; five were known before.',
      review_on: -11,
    },
  },
  {
    on: -70,
    risk: 'CTRL-R5',
    reviewed: {
      likelihood: 4,
      note: 'The operators of the first two stations no longer ask for the old screens.',
      review_on: 66,
    },
  },
  {
    on: -80,
    risk: 'FLOOD-R1',
    reviewed: {
      likelihood: 5,
      note: 'The network operator has confirmed the date.',
      review_on: 17,
    },
  },
  {
    on: -120,
    risk: 'FLOOD-R3',
    reviewed: {
      likelihood: 1,
      note: 'The old archive agrees with the paper charts but for one station.',
      review_on: 213,
    },
  },
  {
    on: -53,
    risk: 'MOVE-R1',
    reviewed: {
      likelihood: 2,
      note: 'Two agents have shown the building to buyers.',
      review_on: 31,
    },
  },
  {
    on: -66,
    risk: 'MOVE-R2',
    reviewed: {
      likelihood: 3,
      note: 'The landlord has named no date for the roof.',
      review_on: 24,
    },
  },
  {
    on: -94,
    risk: 'MOVE-R3',
    reviewed: {
      likelihood: 1,
      impact: 2,
      note: 'A structural engineer has approved the second floor for the archive.',
      review_on: 87,
    },
  },
]
