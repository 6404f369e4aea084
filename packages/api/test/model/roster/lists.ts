import type { Assignment, Group, Person } from '@muster/contract'

import {
  type Command,
  type Observed,
  notFound,
  noEffect,
  type Outcome,
  type RosterState,
  type Rule,
  type Work,
} from './model.ts'

/** Folds letter case and diacritics. */
const folded = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

const contains = (text: string | null, piece: string) => folded(text ?? '').includes(folded(piece))

/** `none` matches null. */
const isNamed = (text: string | null, name: string) =>
  name === 'none' ? text === null : text !== null && folded(text) === folded(name)

/** A second implementation of each filter; `among` are its values. */
const personFilters: Record<string, (person: Person, among: readonly string[]) => boolean> = {
  status: ({ status }, among) => among.includes(status),
  user_id: ({ id }, among) => among.includes(id),
  group_id: ({ group_ids }, among) => group_ids.some((id) => among.includes(id)),
  manager_user_id: ({ manager_user_id }, among) => among.includes(manager_user_id ?? 'none'),
  title: ({ title }, [name = '']) => isNamed(title, name),
  department: ({ department }, [name = '']) => isNamed(department, name),
  q: ({ name, email }, [piece = '']) => contains(name, piece) || contains(email, piece),
}

const groupFilters: Record<string, (group: Group, among: readonly string[]) => boolean> = {
  status: ({ status }, among) => among.includes(status),
  q: ({ name }, [piece = '']) => contains(name, piece),
}

type Listed = Person | Group

const sortKeys: Record<string, (item: Listed) => string> = {
  created_at: ({ created_at }) => created_at,
  name: ({ name }) => folded(name).trim(),
  updated_at: ({ version }) => String(version).padStart(9, '0'),
}

/** In the requested order; the id breaks ties, and is reversed with the order. */
function sorted<T extends Listed>(items: readonly T[], sort: string): T[] {
  const key = sortKeys[sort.replace('-', '')]
  const isBefore = (a: T, b: T) => `${key?.(a)} ${a.id}` < `${key?.(b)} ${b.id}`
  const ascending = items.toSorted((a, b) => (isBefore(a, b) ? -1 : 1))
  return sort.startsWith('-') ? ascending.toReversed() : ascending
}

interface Listing<T extends Listed> {
  readonly filters: Record<string, (item: T, among: readonly string[]) => boolean>
  /** The default status filter. */
  readonly status: string
}

function listed<T extends Listed>(
  items: readonly T[],
  query: Command['query'],
  { filters, status }: Listing<T>,
): T[] {
  const asked = Object.entries({ status, ...query }).flatMap(([name, text]) => {
    const filter = filters[name]
    return filter ? [(item: T) => filter(item, text.split(','))] : []
  })
  return sorted(
    items.filter((item) => asked.every((isWanted) => isWanted(item))),
    query['sort'] ?? 'created_at',
  )
}

interface Listable {
  readonly as_of: number
  readonly items: readonly unknown[]
}

/** The complete list or the first page. The value of a cursor is not checked. */
function pageOutcome({ as_of, items }: Listable, { query }: Command, { body }: Observed): Outcome {
  const data = items.slice(0, Number(query['limit'] ?? Infinity))
  const responseBody = {
    as_of,
    data,
    ...(query['include'] === 'total_count' && { total_count: items.length }),
    count: data.length,
    next_cursor: data.length < items.length ? (body?.next_cursor ?? 'a cursor') : null,
  }
  return { refusals: [], ...noEffect, responseBody: () => responseBody }
}

export const listPersonnel: Rule = (state, command, observed) => {
  const listing = { filters: personFilters, status: 'active,suspended' }
  const items = listed(state.people, command.query, listing)
  return pageOutcome({ as_of: state.collectionSeq.personnel, items }, command, observed)
}

export const listGroups: Rule = (state, command, observed) => {
  const items = listed(state.groups, command.query, { filters: groupFilters, status: 'active' })
  return pageOutcome({ as_of: state.collectionSeq.groups, items }, command, observed)
}

export const listMembers: Rule = (state, command, observed) => {
  const group = state.group.get(command.at['group_id'] ?? '')
  if (group === undefined) return notFound
  const members = state.members(group.id).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const items = members.map(({ id }) => ({
    user_id: id,
    is_lead: group.lead_user_ids.includes(id),
    joined_at: state.joinedAt(group.id, id),
  }))
  return pageOutcome({ as_of: state.collectionSeq.groups, items }, command, observed)
}

function assignmentOf(work: Work): Assignment {
  const { assignee: _assignee, rank: _rank, ...assignment } = work
  return assignment
}

export const listAssignments: Rule = (state, command, observed) => {
  const userId = command.at['user_id'] ?? ''
  if (!state.person.has(userId)) return notFound
  const items = state.assignmentsOf(userId).map(assignmentOf)
  return pageOutcome({ as_of: state.collectionSeq.work, items }, command, observed)
}

const view =
  (noun: 'person' | 'group', param: string): Rule =>
  (state: RosterState, { at }) => {
    const found = state[noun].get(at[param] ?? '')
    return found ? { refusals: [], ...noEffect, responseBody: () => found } : notFound
  }

export const viewPerson = view('person', 'user_id')
export const viewGroup = view('group', 'group_id')
