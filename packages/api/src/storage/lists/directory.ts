import type { LaneQuery, OrderColumn } from './lanes.ts'

/** The orders of people, groups and projects, each served by an index within every status. */
const orders = {
  created_at: { name: 'created_at', type: 'timestamptz' },
  name: { name: 'sort_name', type: 'text' },
  updated_at: { name: 'version', type: 'bigint' },
} as const satisfies Record<string, OrderColumn>

export interface DirectoryOrder {
  readonly by: keyof typeof orders
  readonly isDescending: boolean
}

/** For counting, which needs none. */
export const anyOrder: DirectoryOrder = { by: 'created_at', isDescending: false }

/** The id breaks every tie. */
export const sortedBy = ({ by, isDescending }: DirectoryOrder) =>
  ({ order: [orders[by], { name: 'id', type: 'uuid' }], isDescending }) satisfies Partial<LaneQuery>
