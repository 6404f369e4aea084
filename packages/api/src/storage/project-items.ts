import type { Read } from './database.ts'
import { uuidOf } from './id.ts'
import { issueColumns, presentIssue } from './issues.ts'
import type { Page } from './keyset.ts'
import { countLanes, type LaneQuery, type OrderColumn, selectLanes } from './lanes.ts'
import { presentRisk, riskColumns } from './risks.ts'

/** What a project's own list is narrowed to. Every status is one lane, so all are named. */
export interface ItemsFilter {
  readonly projectId: string
  readonly statuses: readonly string[]
}

export interface ItemsOrder {
  readonly by: string
  readonly isDescending: boolean
}

const byId: OrderColumn = { name: 'id', type: 'uuid' }

/** The order of ids is the order of creation; the order of versions that of the last change. */
const orderBy = ({ by }: ItemsOrder): OrderColumn[] =>
  by === 'updated_at' ? [{ name: 'version', type: 'bigint' }, byId] : [byId]

interface ItemsAsk {
  readonly filter: ItemsFilter
  readonly order: ItemsOrder
  readonly page: Page
}

type Table = Pick<LaneQuery, 'table' | 'columns'>
const risks: Table = { table: 'risks', columns: riskColumns }
const issues: Table = { table: 'issues', columns: issueColumns }

function itemsQuery(table: Table, filter: ItemsFilter, order: ItemsOrder): LaneQuery {
  return {
    ...table,
    order: orderBy(order),
    isDescending: order.isDescending,
    keys: [
      { column: 'project_id', type: 'uuid', values: [uuidOf(filter.projectId)] },
      { column: 'status', type: 'text', values: filter.statuses },
    ],
    where: [],
  }
}

/** The risks of a project, whatever their status. */
export function selectProjectRisks(read: Read, { filter, order, page }: ItemsAsk) {
  return selectLanes(read, itemsQuery(risks, filter, order), { page, present: presentRisk })
}

/** The issues of a project, whatever their status. */
export function selectProjectIssues(read: Read, { filter, order, page }: ItemsAsk) {
  return selectLanes(read, itemsQuery(issues, filter, order), { page, present: presentIssue })
}

const anyOrder: ItemsOrder = { by: 'created_at', isDescending: false }

export const countProjectRisks = (read: Read, filter: ItemsFilter, max: number) =>
  countLanes(read, itemsQuery(risks, filter, anyOrder), max)

export const countProjectIssues = (read: Read, filter: ItemsFilter, max: number) =>
  countLanes(read, itemsQuery(issues, filter, anyOrder), max)
