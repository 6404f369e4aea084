import type { Assignment, Group, Person } from '@muster/contract'

import {
  type Command,
  type Heard,
  missing,
  nothing,
  type Outcome,
  type Roster,
  type Rule,
  type Work,
} from './roster-model.ts'

/** Text without letter case and accents. */
const plain = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

const contains = (text: string | null, piece: string) => plain(text ?? '').includes(plain(piece))

/** `none` is nothing said. */
const isNamed = (text: string | null, name: string) =>
  name === 'none' ? text === null : text !== null && plain(text) === plain(name)

/** What each filter leaves of the people; `among` are its values. */
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
  name: ({ name }) => plain(name).trim(),
  updated_at: ({ version }) => String(version).padStart(9, '0'),
}

/** In the order that is asked for; the id breaks every tie, and turns round with the order. */
function sorted<T extends Listed>(items: readonly T[], sort: string): T[] {
  const key = sortKeys[sort.replace('-', '')]
  const isBefore = (a: T, b: T) => `${key?.(a)} ${a.id}` < `${key?.(b)} ${b.id}`
  const ascending = items.toSorted((a, b) => (isBefore(a, b) ? -1 : 1))
  return sort.startsWith('-') ? ascending.toReversed() : ascending
}

interface Listing<T extends Listed> {
  readonly filters: Record<string, (item: T, among: readonly string[]) => boolean>
  /** The statuses that are listed when none is named. */
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

/** All of it, or the first page. A cursor is only known to be there. */
function shown({ as_of, items }: Listable, { query }: Command, { body }: Heard): Outcome {
  const data = items.slice(0, Number(query['limit'] ?? Infinity))
  const answer = {
    as_of,
    data,
    ...(query['include'] === 'total_count' && { total_count: items.length }),
    count: data.length,
    next_cursor: data.length < items.length ? (body?.next_cursor ?? 'a cursor') : null,
  }
  return { refusals: [], ...nothing, answer: () => answer }
}

export const listPersonnel: Rule = (world, command, heard) => {
  const listing = { filters: personFilters, status: 'active,suspended' }
  const items = listed(world.people, command.query, listing)
  return shown({ as_of: world.reached.personnel, items }, command, heard)
}

export const listGroups: Rule = (world, command, heard) => {
  const items = listed(world.groups, command.query, { filters: groupFilters, status: 'active' })
  return shown({ as_of: world.reached.groups, items }, command, heard)
}

export const listMembers: Rule = (world, command, heard) => {
  const group = world.group.get(command.at['group_id'] ?? '')
  if (group === undefined) return missing
  const members = world.members(group.id).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const items = members.map(({ id }) => ({
    user_id: id,
    is_lead: group.lead_user_ids.includes(id),
    joined_at: world.joinedAt(group.id, id),
  }))
  return shown({ as_of: world.reached.groups, items }, command, heard)
}

const assignmentOf = (work: Work): Assignment => {
  const { type, id, ref, title, status, project_id, due_on } = work
  return { type, id, ref, title, status, project_id, due_on }
}

export const listAssignments: Rule = (world, command, heard) => {
  const userId = command.at['user_id'] ?? ''
  if (!world.person.has(userId)) return missing
  const items = world.heldBy(userId).map(assignmentOf)
  return shown({ as_of: world.reached.work, items }, command, heard)
}

const view =
  (noun: 'person' | 'group', param: string): Rule =>
  (world: Roster, { at }) => {
    const found = world[noun].get(at[param] ?? '')
    return found ? { refusals: [], ...nothing, answer: () => found } : missing
  }

export const viewPerson = view('person', 'user_id')
export const viewGroup = view('group', 'group_id')
