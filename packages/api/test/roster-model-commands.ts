import { everyOperation, takesIfMatch } from '@muster/contract'

import type { Json } from './client.ts'
import { unknownPerson } from './model-commands.ts'
import type { Wish } from './roster-model-wishes.ts'
import type { Command, Roster } from './roster-model.ts'

const unknownGroup = unknownPerson.replace('usr', 'grp')

/** One of those that there are, or of the first few. */
const nthOf = <T>(items: Iterable<T>, index: number, among = Infinity): T | undefined => {
  const all = [...items].slice(0, among)
  return all[index % all.length]
}

const guarded = new Set(
  everyOperation()
    .filter(({ operation }) => takesIfMatch(operation))
    .map(({ name }) => name),
)

/** What there is to speak of, and what is spoken of. */
interface Known {
  readonly world: Roster
  readonly at: Readonly<Record<string, string>>
  readonly among: number
}

const projectsIn = ({ work }: Roster) =>
  [...work.values()].filter(({ type }) => type === 'project').map(({ id }) => id)

type Apt = (thing: { id: string; status: string }, world: Roster) => boolean

const isActive: Apt = ({ status }) => status === 'active'
const isGone: Apt = ({ status }) => status === 'departed' || status === 'archived'
const isReport: Apt = ({ id }, { person }) => person.get(id)?.manager_user_id !== null
const isBusy: Apt = ({ id }, world) => world.heldBy(id).length > 0

/** What a request makes sense of; any other of everyone, or of groups that are active. */
const aptFor: Record<string, Apt> = {
  'a new manager': (person, world) => !isReport(person, world),
  'personnel.suspend': isActive,
  'personnel.resume': ({ status }) => status === 'suspended',
  'personnel.depart': (person, world) => !isGone(person, world),
  'personnel.rejoin': isGone,
  'personnel.erase': isGone,
  'personnel.assignments': isBusy,
  'personnel.reassign': isBusy,
  'groups.restore': isGone,
}

/** What a wish is about; for one that is about nothing that is there yet, nothing. */
function subjectOf(world: Roster, { name, body, item, among, isApt }: Wish) {
  const isOfGroup = name.startsWith('groups.')
  const all = [...(isOfGroup ? world.group.values() : world.person.values())].slice(0, among)
  const what = 'manager_user_id' in body ? 'a new manager' : name
  const apt = aptFor[what] ?? (isOfGroup ? isActive : () => true)
  const fitting = all.filter((thing) => apt(thing, world))
  return nthOf(isApt && fitting.length > 0 ? fitting : all, item)
}

/** Where it is asked for: ids that there are, or that there are not. */
function placeOf(world: Roster, wish: Wish): Command['at'] {
  const isOfGroup = wish.name.startsWith('groups.')
  const unknownId = isOfGroup ? unknownGroup : unknownPerson
  const id = (wish.isAstray ? null : subjectOf(world, wish)?.id) ?? unknownId
  if (!isOfGroup) return { user_id: id, project_id: nthOf(projectsIn(world), wish.item) ?? '' }
  return {
    group_id: id,
    user_id: filled(wish.whom, { world, at: { group_id: id }, among: wish.among }),
  }
}

/** What is meant, now that it is known what there is. Null when there is nothing to ask it of. */
export function commandOf(world: Roster, wish: Wish): Command | null {
  const { name, isWhole, among } = wish
  const subject = subjectOf(world, wish)
  if (subject === undefined && !/\.(create|list)$/.test(name)) return null
  const at = placeOf(world, wish)
  const body = filled(wish.body, { world, at, among })
  const versions = { unsaid: null, right: subject?.version ?? null, wrong: 1 }
  return {
    name,
    at,
    query: queryOf(wish, { world, at, among }),
    body: isWhole ? { ...subject, ...body } : body,
    onlyIf: guarded.has(name) ? versions[wish.onlyIf] : null,
  }
}

/** Several values stand with a comma between them. */
const queryOf = ({ query }: Wish, known: Known) =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, [filled(value, known)].flat().join(',')]),
  )

function filled(value: unknown, known: Known): Json {
  if (Array.isArray(value)) {
    const items = value.map((each) => filled(each, known))
    return items.every((item) => typeof item === 'string') ? [...new Set(items)] : items
  }
  if (typeof value === 'object' && value !== null) return filledRecord(value, known)
  const [, kind = '', index = ''] = /^@([a-z]+)(\d*)$/.exec(String(value)) ?? []
  return kind === '' ? value : (named(kind, Number(index), known) ?? unknownPerson)
}

function named(kind: string, index: number, { world, at, among }: Known): string | undefined {
  if (kind === 'self') return at['user_id']
  if (kind === 'group') return nthOf(world.group.keys(), index, among) ?? unknownGroup
  if (kind === 'project') return nthOf(projectsIn(world), index)
  const people = [...world.person.values()].slice(0, among)
  const fitting = {
    person: people,
    active: people.filter((person) => isActive(person, world)),
    report: people.filter((person) => isReport(person, world)),
    member: world.members(at['group_id'] ?? ''),
  }[kind]
  return nthOf(fitting?.length ? fitting : people, index)?.id
}

/** A row may be all that is known of someone, or that without the id. */
function filledRecord(value: object, known: Known): Json {
  const { '@whole': whole, '@copied': copied, ...rest }: Json = value
  const fields = Object.fromEntries(
    Object.entries(rest).map(([name, each]) => [name, filled(each, known)]),
  )
  const someone = known.world.person.get(filled(whole ?? copied ?? '', known))
  if (someone === undefined) return fields
  const { id, ...others } = someone
  return { ...(whole === undefined ? {} : { id }), ...others, ...fields }
}
