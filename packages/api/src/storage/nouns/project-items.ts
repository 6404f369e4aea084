import type { List, ListQuery, OrderColumn } from '#storage/lists/index-ranges'
import type { OpenedProject } from '#storage/statements/view'

import { issueColumns, presentIssue } from './issues.ts'
import { presentRisk, riskColumns } from './risks.ts'

/** Each status is one index range, so an unfiltered list names every status. */
export interface ItemsFilter {
  readonly project: OpenedProject
  readonly statuses: readonly string[]
}

export interface ItemsOrder {
  readonly by: string
  readonly isDescending: boolean
}

const byId: OrderColumn = { name: 'id', type: 'uuid' }

/** Ids sort by creation, versions by the last change. */
const orderBy = ({ by }: ItemsOrder): OrderColumn[] =>
  by === 'updated_at' ? [{ name: 'version', type: 'bigint' }, byId] : [byId]

const anyOrder: ItemsOrder = { by: 'created_at', isDescending: false }

interface Items<Item> extends Pick<ListQuery, 'table' | 'columns'> {
  readonly present: (row: never) => Item
}

const itemsList =
  <Item>({ table, columns, present }: Items<Item>) =>
  (filter: ItemsFilter, order: ItemsOrder): List<Item> => {
    const query = (by: ItemsOrder): ListQuery => ({
      table,
      columns,
      order: orderBy(by),
      isDescending: by.isDescending,
      keys: [
        { column: 'project_id', type: 'uuid', values: [filter.project.uuid] },
        { column: 'status', type: 'text', values: filter.statuses },
      ],
      where: [],
    })
    return { query: query(order), countQuery: query(anyOrder), present }
  }

/** The risks of a project, in any status. */
export const projectRisksList = itemsList({
  table: 'risks',
  columns: riskColumns,
  present: presentRisk,
})

/** The issues of a project, in any status. */
export const projectIssuesList = itemsList({
  table: 'issues',
  columns: issueColumns,
  present: presentIssue,
})
