import type { HistoryEntry } from '@muster/contract'

import { t, type TextKey } from './index.ts'
import { fieldLabel, label } from './labels.ts'
import { formatValue, isNone, type Names } from './values.ts'

export type Change = HistoryEntry['changes'][number]

/** What the words for a change depend on. */
export interface Context {
  /** The resource that changed: the part of the event type before the dot. */
  readonly noun: string
  readonly names: Names
}

// The language of the texts, not of the dates: “a, b and c”.
const listFormat = new Intl.ListFormat('en-GB')

/** “a, b and c” */
export const listed = (parts: readonly string[]) => listFormat.format(parts)

/** The field in a sentence: “the due date”. */
export const phrase = (field: string) => {
  const known = label('fieldPhrase', field)
  return known === field ? `the ${fieldLabel(field).toLowerCase()}` : known
}

type Clause = (change: Change, context: Context) => string | readonly string[]

/** The words for one change, such as “moved the due date from 3 Nov to 10 Nov”. */
export function clausesOf(change: Change, context: Context): readonly string[] {
  return [(special[change.field] ?? plain)(change, context)].flat()
}

const format =
  ({ field }: Change, { noun, names }: Context) =>
  (value: unknown) =>
    unnamed(value, names) ?? formatValue(value, { noun, field, names })

/** A person or a group whose name is not known; null for all other values. */
function unnamed(value: unknown, names: Names): string | null {
  if (typeof value !== 'string' || names.has(value)) return null
  if (value.startsWith('usr_')) return t('activity.someone')
  return value.startsWith('grp_') ? t('activity.some-group') : null
}

/** Set, changed or removed, with the values. */
function plain(change: Change, context: Context): string {
  const { from, to } = change
  const [field, text] = [phrase(change.field), format(change, context)]
  if (isNone(to)) return t('activity.remove', { field })
  if (isNone(from)) return t('activity.set', { field, to: text(to) })
  return t('activity.change', { field, from: text(from), to: text(to) })
}

const date: Clause = (change, context) => {
  const { from, to } = change
  if (isNone(from) || isNone(to)) return plain(change, context)
  const [field, text] = [phrase(change.field), format(change, context)]
  return t('activity.move', { field, from: text(from), to: text(to) })
}

/** A long text: the record shows it, so the sentence does not. */
const text: Clause = ({ field, from, to }) => {
  const key = isNone(from) ? 'activity.add' : isNone(to) ? 'activity.remove' : 'activity.edit'
  return t(key, { field: phrase(field) })
}

/** The name of a person is changed; everything else is renamed. */
const name: Clause = (change, context) => {
  const { from, to } = change
  if (context.noun === 'person' || typeof from !== 'string' || typeof to !== 'string')
    return plain(change, context)
  return t('activity.rename', { from, to })
}

const inCharge: Clause = (change, context) => {
  const person = format(change, context)
  const [from, to] = [person(change.from), person(change.to)]
  if (isNone(change.to)) return t('activity.unassign', { from })
  return isNone(change.from) ? t('activity.assign', { to }) : t('activity.reassign', { from, to })
}

const manager: Clause = (change, context) =>
  isNone(change.from) && !isNone(change.to)
    ? t('activity.manager', { to: format(change, context)(change.to) })
    : plain(change, context)

const score: Clause = (change, context) => {
  const { from, to } = change
  if (typeof from !== 'number' || typeof to !== 'number') return plain(change, context)
  return t(to > from ? 'activity.raise' : 'activity.lower', { from, to })
}

/** A target or an inherent rating: “2 × 3 = 6 by 3 Nov”. */
const rating: Clause = (change, context) => {
  const value = (of: unknown) => {
    if (typeof of !== 'object' || of === null) return of
    const { likelihood, impact, due_on, ...rest } = { due_on: null, ...of } as Rated
    const rated = t('activity.rating', { likelihood, impact, score: rest.score })
    return due_on === null
      ? rated
      : t('activity.rating.due', { rating: rated, day: format(change, context)(due_on) })
  }
  return plain({ ...change, from: value(change.from), to: value(change.to) }, context)
}

interface Rated {
  readonly likelihood: number
  readonly impact: number
  readonly score: number
  readonly due_on: string | null
}

const project: Clause = ({ to }, { names }) =>
  t('activity.to-project', { to: names.get(String(to)) ?? t('activity.other-project') })

const acceptance: Clause = (change, context) =>
  isNone(change.to) ? t('activity.withdraw') : text(change, context)

const either =
  (set: TextKey, removed: TextKey): Clause =>
  ({ to }) =>
    t(isNone(to) || to === false ? removed : set)

/** What was added to a list, and what was removed from it. */
const members =
  (added: TextKey, removed: TextKey): Clause =>
  (change, context) => {
    const [before, after] = [asList(change.from), asList(change.to)]
    const say = (key: TextKey, values: readonly unknown[]) => {
      const texts = values.map((value) => memberName(value) ?? format(change, context)(value))
      return texts.length === 0 ? [] : [t(key, { count: texts.length, names: listed(texts) })]
    }
    const clauses = [...say(added, without(after, before)), ...say(removed, without(before, after))]
    return clauses.length > 0 ? clauses : text(change, context)
  }

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The elements of `these` that are not in `those`. */
export function without(these: readonly unknown[], those: readonly unknown[]): readonly unknown[] {
  const known = new Set(those.map((each) => JSON.stringify(each)))
  return these.filter((each) => !known.has(JSON.stringify(each)))
}

/** The title of a link. */
const memberName = (value: unknown) =>
  typeof value === 'object' && value !== null && 'title' in value
    ? t('activity.note', { note: String(value.title) })
    : null

const special: Readonly<Record<string, Clause>> = {
  title: name,
  name,
  description: text,
  metadata: text,
  health_note: text,
  status_reason: text,
  owner_user_id: inCharge,
  assignee_user_id: inCharge,
  manager_user_id: manager,
  due_on: date,
  review_on: date,
  starts_on: date,
  start_on: date,
  end_on: date,
  expires_at: date,
  score,
  target: rating,
  inherent: rating,
  project_id: project,
  risk_id: either('activity.link-risk', 'activity.unlink-risk'),
  issue_id: either('activity.link-issue', 'activity.unlink-issue'),
  assignable: either('activity.assignable', 'activity.not-assignable'),
  acceptance,
  tags: members('activity.tags.added', 'activity.tags.removed'),
  links: members('activity.links.added', 'activity.links.removed'),
  group_ids: members('activity.group_ids.added', 'activity.group_ids.removed'),
  lead_user_ids: members('activity.lead_user_ids.added', 'activity.lead_user_ids.removed'),
}
