import type { RawBuilder } from 'kysely'

import type { Read } from './database.ts'
import { anyOrder, type DirectoryOrder, sortedBy } from './directory.ts'
import { uuidOf } from './id.ts'
import type { Page } from './keyset.ts'
import {
  containsText,
  countLanes,
  isAmong,
  type Key,
  type LaneQuery,
  overlaps,
  personKeys,
  selectLanes,
  type Through,
} from './lanes.ts'
import { personColumns, presentPerson, textKey } from './personnel.ts'

/** Which people are asked for; null where nothing was asked. */
export interface RosterFilter {
  /** Every status is one lane, so all are named. */
  readonly statuses: readonly string[]
  readonly userIds: readonly string[] | null
  readonly groupIds: readonly string[] | null
  /** `none` among the managers is nobody. */
  readonly managerIds: readonly string[] | null
  readonly title: string | null
  readonly department: string | null
  readonly q: string | null
}

interface RosterAsk {
  readonly filter: RosterFilter
  readonly order: DirectoryOrder
  readonly page: Page
}

export function selectRoster(read: Read, { filter, order, page }: RosterAsk) {
  return selectLanes(read, rosterQuery(filter, order), { page, present: presentPerson })
}

/** How many there are, counted no further than `max` + 1. */
export function countRoster(read: Read, filter: RosterFilter, max: number) {
  return countLanes(read, rosterQuery(filter, anyOrder), max)
}

/**
 * The narrowest filter leads to the rows by its index; the others are tests on the way. A filter by
 * id needs no test: nothing else leads when there is one.
 */
function rosterQuery(filter: RosterFilter, order: DirectoryOrder): LaneQuery {
  const { uuids, groups, managers, title, department } = keysOf(filter)
  const status: Key = { column: 'status', type: 'text', values: filter.statuses }
  const within = (column: string, type: Key['type'], values: readonly string[] | null) =>
    values && { keys: [{ column, type, values }, status] }
  const leading =
    (uuids && { keys: [{ column: 'id', type: 'uuid' as const, values: uuids }] }) ??
    (groups && { ...within('group_id', 'uuid', groups), through: memberships }) ??
    within('manager_key', 'uuid', managers) ??
    within('title_key', 'text', title) ??
    within('department_key', 'text', department)
  return {
    table: 'people',
    columns: personColumns,
    ...sortedBy(order),
    keys: [status],
    search: leading ? null : filter.q,
    ...leading,
    where: testsOf(filter),
  }
}

function testsOf(filter: RosterFilter): RawBuilder<unknown>[] {
  const { groups, managers, title, department } = keysOf(filter)
  return [
    isAmong('status', filter.statuses, 'text'),
    overlaps('group_ids', groups, 'uuid'),
    isAmong('manager_key', managers, 'uuid'),
    isAmong('title_key', title, 'text'),
    isAmong('department_key', department, 'text'),
    containsText(filter.q),
  ]
}

const keysOf = (filter: RosterFilter) => ({
  uuids: filter.userIds?.map(uuidOf) ?? null,
  groups: filter.groupIds?.map(uuidOf) ?? null,
  managers: personKeys(filter.managerIds),
  title: textKeys(filter.title),
  department: textKeys(filter.department),
})

/** `none` is no title, and no department. */
const textKeys = (text: string | null) =>
  text === null ? null : [textKey(text === 'none' ? null : text)]

const memberships: Through = { table: 'memberships', id: 'user_id' }
