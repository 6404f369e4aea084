import type { ListQuery, OrderColumn } from './index-ranges.ts'

/** The orders of people, groups and projects. An index serves each within every status. */
const orders = {
  created_at: { name: 'created_at', type: 'timestamptz' },
  name: { name: 'sort_name', type: 'text' },
  updated_at: { name: 'version', type: 'bigint' },
} as const satisfies Record<string, OrderColumn>

export interface DirectoryOrder {
  readonly by: keyof typeof orders
  readonly isDescending: boolean
}

/** For counting. */
export const anyOrder: DirectoryOrder = { by: 'created_at', isDescending: false }

/** The id makes the order unique. */
export const sortedBy = ({ by, isDescending }: DirectoryOrder) =>
  ({ order: [orders[by], { name: 'id', type: 'uuid' }], isDescending }) satisfies Partial<ListQuery>
