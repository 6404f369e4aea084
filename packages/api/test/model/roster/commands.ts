import { everyOperation, type Person, takesIfMatch } from '@muster/contract'

import { unknownPerson } from '#test/model/projects/commands'
import type { Json } from '#test/support/client'

import type { Command, RosterState } from './model.ts'
import type { RequestTemplate } from './templates.ts'

const unknownGroup = unknownPerson.replace('usr', 'grp')
const unknownTask = unknownPerson.replace('usr', 'tsk')

/** The item with this index, of all or of the first few. */
const nthOf = <T>(items: Iterable<T>, index: number, among = Infinity): T | undefined => {
  const all = [...items].slice(0, among)
  return all[index % all.length]
}

const guarded = new Set(
  everyOperation()
    .filter(({ operation }) => takesIfMatch(operation))
    .map(({ name }) => name),
)

/** The state and the ids that placeholders refer to. */
interface Known {
  readonly state: RosterState
  readonly at: Readonly<Record<string, string>>
  readonly among: number
}

const projectsIn = ({ work }: RosterState) =>
  [...work.values()].filter(({ type }) => type === 'project').map(({ id }) => id)

type Predicate = (item: { id: string; status: string }, state: RosterState) => boolean

const isActive: Predicate = ({ status }) => status === 'active'
const hasLeft: Predicate = ({ status }) => status === 'departed' || status === 'archived'
const isReport: Predicate = ({ id }, { person }) => person.get(id)?.manager_user_id !== null
const hasAssignments: Predicate = ({ id }, state) => state.assignmentsOf(id).length > 0

/** The items to which an operation applies; by default every person and every active group. */
const applicableTo: Record<string, Predicate> = {
  'a new manager': (person, state) => !isReport(person, state),
  'personnel.suspend': isActive,
  'personnel.resume': ({ status }) => status === 'suspended',
  'personnel.depart': (person, state) => !hasLeft(person, state),
  'personnel.rejoin': hasLeft,
  'personnel.erase': hasLeft,
  'personnel.assignments': hasAssignments,
  'personnel.reassign': hasAssignments,
  'groups.restore': hasLeft,
}

/** The person or group of a request; undefined when there is none yet. */
function subjectOf(state: RosterState, { name, body, item, among, isApplicable }: RequestTemplate) {
  const isOfGroup = name.startsWith('groups.')
  const all = [...(isOfGroup ? state.group.values() : state.person.values())].slice(0, among)
  const what = 'manager_user_id' in body ? 'a new manager' : name
  const isMatch = applicableTo[what] ?? (isOfGroup ? isActive : () => true)
  const matching = all.filter((candidate) => isMatch(candidate, state))
  return nthOf(isApplicable && matching.length > 0 ? matching : all, item)
}

/** The path parameters: existing or unknown ids. */
function placeOf(state: RosterState, template: RequestTemplate): Command['at'] {
  const isOfGroup = template.name.startsWith('groups.')
  const unknownId = isOfGroup ? unknownGroup : unknownPerson
  const id = (template.isUnknown ? null : subjectOf(state, template)?.id) ?? unknownId
  if (!isOfGroup) return { user_id: id, project_id: nthOf(projectsIn(state), template.item) ?? '' }
  return {
    group_id: id,
    user_id: withoutPlaceholders(template.userRef, {
      state,
      at: { group_id: id },
      among: template.among,
    }),
  }
}

/** Replaces the placeholders. Returns null when the model has no item for it. */
export function commandOf(state: RosterState, template: RequestTemplate): Command | null {
  const { name, isFullBody, among } = template
  const subject = subjectOf(state, template)
  if (subject === undefined && !/\.(create|list)$/.test(name)) return null
  const at = placeOf(state, template)
  const body = withoutPlaceholders(template.body, { state, at, among })
  const versions = { absent: null, current: subject?.version ?? null, stale: 1 }
  return {
    name,
    at,
    query: queryOf(template, { state, at, among }),
    body: isFullBody ? { ...subject, ...body } : body,
    ifMatch: guarded.has(name) ? versions[template.ifMatch] : null,
  }
}

/** Several values are joined by commas. */
const queryOf = ({ query }: RequestTemplate, known: Known) =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      [withoutPlaceholders(value, known)].flat().join(','),
    ]),
  )

function withoutPlaceholders(value: unknown, known: Known): Json {
  if (Array.isArray(value)) {
    const items = value.map((each) => withoutPlaceholders(each, known))
    return items.every((item) => typeof item === 'string') ? [...new Set(items)] : items
  }
  if (typeof value === 'object' && value !== null) return recordWithoutPlaceholders(value, known)
  const [, kind = '', index = ''] = /^@([a-z]+)(\d*)$/.exec(String(value)) ?? []
  return kind === '' ? value : (named(kind, Number(index), known) ?? unknownPerson)
}

function named(kind: string, index: number, { state, at, among }: Known): string | undefined {
  if (kind === 'self') return at['user_id']
  if (kind === 'group') return nthOf(state.group.keys(), index, among) ?? unknownGroup
  if (kind === 'project') return nthOf(projectsIn(state), index)
  const people = [...state.person.values()].slice(0, among)
  const matching = {
    person: people,
    active: people.filter((person) => isActive(person, state)),
    report: people.filter((person) => isReport(person, state)),
    member: state.members(at['group_id'] ?? ''),
  }[kind]
  return nthOf(matching?.length ? matching : people, index)?.id
}

/** Work of the subject; sometimes other work, or none that exists. */
function workOf({ state, at }: Known, index: number) {
  const own = state.assignmentsOf(at['user_id'] ?? '')
  const among = own.length > 0 && index % 6 > 0 ? own : state.work.values()
  const { type, id } = nthOf(among, index) ?? { type: 'task', id: unknownTask }
  return { type, id }
}

/** A row can be a whole person, with or without the id; an item can be assigned work. */
function recordWithoutPlaceholders(value: object, known: Known): Json {
  const { '@whole': whole, '@copied': copied, '@work': work, ...others }: Json = value
  const rest = work === undefined ? others : { ...workOf(known, work), ...others }
  const fields = Object.fromEntries(
    Object.entries(rest).map(([name, each]) => [name, withoutPlaceholders(each, known)]),
  )
  const person = known.state.person.get(withoutPlaceholders(whole ?? copied ?? '', known))
  if (person === undefined) return fields
  return { ...(whole === undefined ? copyOf(person) : person), ...fields }
}

/** Fields whose values no two people share. */
const ownFields = /^(?:id|user_id|version|created_at|updated_at|status_changed_at)$/

const copyOf = (person: Person) =>
  Object.fromEntries(Object.entries(person).filter(([name]) => !ownFields.test(name)))
