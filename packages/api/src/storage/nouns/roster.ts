import { type Condition, containsText, isAmong, overlaps } from '#storage/lists/conditions'
import { anyOrder, type DirectoryOrder, sortedBy } from '#storage/lists/directory'
import {
  type KeyFilter,
  type List,
  type ListQuery,
  personKeys,
  type Through,
} from '#storage/lists/index-ranges'
import { nonEmptyKey, sortingOf } from '#storage/lists/sort-keys'
import { uuidOf } from '#storage/values/id'

import { emailKey, personColumns, presentPerson, type StoredPerson, textKey } from './personnel.ts'

/** Null for no filter. */
export interface RosterFilter {
  /** Each status is one index range, so an unfiltered list names every status. */
  readonly statuses: readonly string[]
  readonly userIds: readonly string[] | null
  readonly emails: readonly string[] | null
  readonly externalIds: readonly string[] | null
  readonly groupIds: readonly string[] | null
  /** `none` matches people without a manager. */
  readonly managerIds: readonly string[] | null
  readonly title: string | null
  readonly department: string | null
  readonly q: string | null
}

/** Each has an index of its own, so each has a statement of its own. */
const byTitle = { title: nonEmptyKey('title_key') }
const byDepartment = { department: nonEmptyKey('department_key') }

/** People in an order that an index has, unless `sort` is another one. */
export function rosterList(
  filter: RosterFilter,
  order: DirectoryOrder,
  sort?: string,
): List<StoredPerson> {
  const query = rosterQuery(filter, order)
  const list = { query, countQuery: rosterQuery(filter, anyOrder), present: presentPerson }
  const sorting = sortingOf(byTitle, sort) ?? sortingOf(byDepartment, sort)
  if (sorting === undefined) return list
  // Without a filter there is no condition, so that an index-only scan gives the keys.
  const isFiltered = query.keys.some(({ column }) => column !== 'status')
  return { ...list, query: isFiltered ? query : { ...query, where: [] }, sorting }
}

/**
 * The most selective filter chooses the index; the others are conditions on its rows. A filter by
 * id needs no condition, because it always chooses the index.
 */
function rosterQuery(filter: RosterFilter, order: DirectoryOrder): ListQuery {
  const { uuids, emails, groups, managers, title, department } = filterKeys(filter)
  const status: KeyFilter = { column: 'status', type: 'text', values: filter.statuses }
  const within = (column: string, type: KeyFilter['type'], values: readonly string[] | null) =>
    values && { keys: [{ column, type, values }, status] }
  const leading =
    only('id', 'uuid', uuids) ??
    only('email_key', 'text', emails) ??
    only('external_id', 'text', filter.externalIds) ??
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
    where: filterConditions(filter),
  }
}

function filterConditions(filter: RosterFilter): Condition[] {
  const { emails, groups, managers, title, department } = filterKeys(filter)
  return [
    isAmong('status', filter.statuses, 'text'),
    isAmong('email_key', emails, 'text'),
    isAmong('external_id', filter.externalIds, 'text'),
    overlaps('group_ids', groups, 'uuid'),
    isAmong('manager_key', managers, 'uuid'),
    isAmong('title_key', title, 'text'),
    isAmong('department_key', department, 'text'),
    containsText(filter.q),
  ]
}

/** A filter whose few rows are tested for the status. */
const only = (column: string, type: KeyFilter['type'], values: readonly string[] | null) =>
  values && { keys: [{ column, type, values }] }

const filterKeys = (filter: RosterFilter) => ({
  uuids: filter.userIds?.map(uuidOf) ?? null,
  emails: filter.emails?.map(emailKey) ?? null,
  groups: filter.groupIds?.map(uuidOf) ?? null,
  managers: personKeys(filter.managerIds),
  title: textKeys(filter.title),
  department: textKeys(filter.department),
})

/** `none` matches people without a title or a department. */
const textKeys = (text: string | null) =>
  text === null ? null : [textKey(text === 'none' ? null : text)]

const memberships: Through = { table: 'memberships', id: 'user_id' }
