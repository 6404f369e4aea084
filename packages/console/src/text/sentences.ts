import type { EventType, HistoryEntry, Risk } from '@muster/contract'

import { type Change, clausesOf, type Context, listed, phrase, without } from './clauses.ts'
import { formatDay } from './dates.ts'
import { isTextKey, t, type TextKey } from './index.ts'
import { label, type LabelSet } from './labels.ts'
import { isNone, isOwnField, type Names } from './values.ts'

/** What happened, as people would say it. */
export interface Sentence {
  readonly text: string
  /** Whether the text follows the name of the author. A fact of the calendar has no author. */
  readonly isAuthored: boolean
  /** The changes that the text does not state. */
  readonly details: readonly Change[]
}

/** An entry of a history and what its words depend on. */
interface Story extends Context {
  readonly entry: HistoryEntry
  /** The changes that are worth words. */
  readonly changes: readonly Change[]
}

type Describe = (story: Story) => Sentence | string

/** The sentence of an entry. A type that is newer than this console has a general one. */
export function sentenceOf(entry: HistoryEntry, names: Names): Sentence {
  const [noun = ''] = entry.type.split('.')
  const changes = entry.changes.filter(
    ({ field }) => !isOwnField(field) && !isRepeated(noun, field),
  )
  const describe: Describe =
    (stories as Readonly<Record<string, Describe>>)[entry.type] ?? usual(entry.type)
  const described = describe({ entry, noun, names, changes })
  return typeof described === 'string'
    ? { text: described, isAuthored: true, details: [] }
    : described
}

/** Fields whose change another field or the type of the entry already states. */
const repeated: Readonly<Record<string, ReadonlySet<string>>> = {
  risk: new Set(
    'flags previous_score closed_at close_reason close_note issue_ids occurred_at'.split(' '),
  ),
  issue: new Set('flags closed_at close_reason close_note reopened_count opened_at'.split(' ')),
  person: new Set(['erased_at', 'group_names']),
  group: new Set(['member_count']),
  task: new Set(['completed_at']),
}
const isRepeated = (noun: string, field: string) => repeated[noun]?.has(field) === true

const changeOf = ({ entry }: Story, field: string) =>
  entry.changes.find((change) => change.field === field)

/** The last of several changes is too far from the author to be read as one sentence. */
const clausesMax = 4

/** Facts and further changes as one sentence; many changes are named only, and listed below. */
function withChanges(
  facts: readonly string[],
  story: Story,
  stated: readonly string[] = [],
): Sentence {
  const rest = story.changes.filter(({ field }) => !stated.includes(field))
  const clauses = rest.flatMap((change) => clausesOf(change, story))
  const isMany = clauses.length > clausesMax
  const named = isMany
    ? [t('activity.many', { fields: listed(rest.map(({ field }) => phrase(field))) })]
    : clauses
  const parts = [...facts, ...named]
  const text = parts.length > 0 ? listed(parts) : t(generalKey(story))
  return { text, isAuthored: true, details: isMany ? rest : [] }
}

/** For a change without words for its fields. */
function generalKey({ noun }: Story): TextKey {
  const key = `activity.${noun}.updated`
  return isTextKey(key) ? key : 'activity.changed'
}

/** A change of fields: nothing but its clauses. */
const updated: Describe = (story) => withChanges([], story)

/** The type states what happened; further changes follow. */
const event =
  (key: TextKey, ...stated: readonly string[]): Describe =>
  (story) =>
    withChanges([t(key)], story, ['status', ...stated])

/** What is new is on the page, so the fields of a new record are details. */
const created =
  (key: TextKey): Describe =>
  ({ changes }) => ({ text: t(key), isAuthored: true, details: changes })

/** The words of a type, which every type of the contract has. */
function usual(type: string): Describe {
  const key = `activity.${type}`
  if (!isTextKey(key) || type.endsWith('.updated')) return updated
  return type.endsWith('.created') ? created(key) : event(key)
}

/** A fact that the service found, such as a date that has passed. */
const unauthored = (text: string): Sentence => ({ text, isAuthored: false, details: [] })

const quoted = (text: string, note: unknown) =>
  typeof note === 'string' && note !== '' ? t('activity.quoted', { text, note }) : text

const flagged =
  (key: TextKey): Describe =>
  (story) => {
    const { from = [], to = [] } = (changeOf(story, 'flags') ?? {}) as Partial<FlagChange>
    const say = (flags: readonly unknown[], state: 'on' | 'off') =>
      flags
        .map((flag) => `activity.flag.${String(flag)}.${state}`)
        .filter(isTextKey)
        .map((each) => t(each))
    const texts = [...say(without(to, from), 'on'), ...say(without(from, to), 'off')]
    return unauthored(texts.length > 0 ? texts.join('. ') : t(key))
  }

interface FlagChange {
  readonly from: readonly unknown[]
  readonly to: readonly unknown[]
}

const closedAs =
  (key: TextKey, as: TextKey, set: LabelSet): Describe =>
  (story) => {
    const reason = changeOf(story, 'close_reason')?.to
    const text =
      typeof reason === 'string' ? t(as, { reason: label(set, reason).toLowerCase() }) : t(key)
    return withChanges([text], story, ['status'])
  }

/** The person is the author, or the author records it for them. */
function accepted(story: Story): Sentence {
  const { from, to } = changeOf(story, 'acceptance') ?? {}
  const stated = ['acceptance', 'response']
  if (isNone(to)) return withChanges([t('activity.risk.updated')], story, stated)
  // The cast holds because this field has this type. Earlier entries have no score.
  const given = to as Partial<NonNullable<Risk['acceptance']>>
  const {
    accepted_by_user_id: by = '',
    expires_on = '',
    score = null,
    risk_appetite = null,
  } = given
  const kind = isNone(from) ? 'accepted' : 'renewed'
  const isOwn = story.entry.actor.user_id === by
  const day = formatDay(expires_on)
  const name = story.names.get(by) ?? t('activity.someone')
  const text = t(isOwn ? `activity.risk.${kind}` : `activity.risk.${kind}.for`, { day, name })
  return withChanges([withConditions(text, score, risk_appetite)], story, stated)
}

function withConditions(text: string, score: number | null, appetite: number | null): string {
  if (score === null) return text
  if (appetite === null) return t('activity.risk.at.unlimited', { text, score })
  return t('activity.risk.at', { text, score, appetite })
}

/** The fields of a new risk that are worth a look. The page shows the others. */
const createdFields = new Set('owner_user_id status response score target inherent'.split(' '))

const riskCreated: Describe = (story) => {
  const score = changeOf(story, 'score')?.to
  const text =
    typeof score === 'number'
      ? t('activity.risk.created.score', { score })
      : t('activity.risk.created')
  const details = story.changes.filter(({ field }) => createdFields.has(field))
  return { text, isAuthored: true, details }
}

/** The score states the rating, unless likelihood and impact changed and their product did not. */
const reviewed: Describe = (story) => {
  const [likelihood, impact] = [changeOf(story, 'likelihood')?.to, changeOf(story, 'impact')?.to]
  const score = changeOf(story, 'score')
  const isRated = !score && typeof likelihood === 'number' && typeof impact === 'number'
  const parts = [
    t('activity.risk.reviewed'),
    ...(score ? clausesOf(score, story) : []),
    ...(isRated ? [t('activity.rate', { likelihood, impact })] : []),
  ]
  return withChanges(parts, story, ['likelihood', 'impact', 'score'])
}

/** The words for a new status; null for the general ones. */
const issueStatus: Readonly<Record<string, TextKey>> = {
  blocked: 'activity.issue.blocked',
  in_progress: 'activity.issue.started',
}

const issueUpdated: Describe = (story) => {
  const status = changeOf(story, 'status')
  if (status === undefined) return updated(story)
  const reason = changeOf(story, 'blocked_reason')?.to
  const key =
    status.from === 'blocked' ? 'activity.issue.unblocked' : issueStatus[String(status.to)]
  if (key === undefined) return updated(story)
  return withChanges([quoted(t(key), reason)], story, ['status', 'blocked_reason'])
}

const taskStatus: Readonly<Record<string, TextKey>> = {
  done: 'activity.task.done',
  cancelled: 'activity.task.cancelled',
  in_progress: 'activity.task.started',
  blocked: 'activity.task.blocked',
}

const taskUpdated: Describe = (story) => {
  const status = changeOf(story, 'status')
  if (status === undefined) return updated(story)
  const wasOver = status.from === 'done' || status.from === 'cancelled'
  const key = wasOver ? 'activity.task.reopened' : taskStatus[String(status.to)]
  return key === undefined ? updated(story) : withChanges([t(key)], story, ['status'])
}

const projectUpdated: Describe = (story) => {
  const [health, note] = [changeOf(story, 'health'), changeOf(story, 'health_note')]
  if (health === undefined && note === undefined) return updated(story)
  const text =
    health === undefined
      ? t('activity.project.health.note')
      : isNone(health.to)
        ? t('activity.project.health.none')
        : t('activity.project.health', { to: label('projectHealth', String(health.to)) })
  return withChanges([quoted(text, note?.to)], story, ['health', 'health_note'])
}

const departed: Describe = (story) => {
  const day = changeOf(story, 'end_on')?.to
  const text =
    typeof day === 'string'
      ? t('activity.person.departed.on', { day: formatDay(day) })
      : t('activity.person.departed')
  const reason = changeOf(story, 'status_reason')?.to
  return withChanges([quoted(text, reason)], story, [...personStatus, 'end_on'])
}

const personStatus = ['status', 'status_reason', 'assignable']

/** A change of the status of a person, with its reason. */
const personEvent =
  (key: TextKey): Describe =>
  (story) =>
    withChanges([quoted(t(key), changeOf(story, 'status_reason')?.to)], story, personStatus)

/** In the history of a person, a change of a group adds them to it or removes them. */
const membership =
  (key: TextKey): Describe =>
  (story) =>
    changeOf(story, 'group_ids') === undefined
      ? withChanges([t(key)], story, ['status'])
      : updated(story)

const groupCreated: Describe = (story) =>
  changeOf(story, 'group_ids') === undefined
    ? created('activity.group.created')(story)
    : updated(story)

/** What to say for types of events where the words of the type are not enough. */
const stories = {
  'person.suspended': personEvent('activity.person.suspended'),
  'person.resumed': personEvent('activity.person.resumed'),
  'person.departed': departed,
  'person.rejoined': personEvent('activity.person.rejoined'),
  'person.erased': () => t('activity.person.erased'),
  'person.identity_confirmed': () => t('activity.person.identity_confirmed'),
  'group.created': groupCreated,
  'group.archived': membership('activity.group.archived'),
  'group.restored': membership('activity.group.restored'),
  'group.member_added': membership('activity.group.member_added'),
  'group.member_removed': membership('activity.group.member_removed'),
  'project.updated': projectUpdated,
  'risk.created': riskCreated,
  'risk.reviewed': reviewed,
  'risk.accepted': accepted,
  'risk.closed': closedAs('activity.risk.closed', 'activity.risk.closed.as', 'riskCloseReason'),
  'risk.flagged': flagged('activity.risk.flagged'),
  'issue.updated': issueUpdated,
  'issue.closed': closedAs('activity.issue.closed', 'activity.issue.closed.as', 'issueCloseReason'),
  'issue.flagged': flagged('activity.issue.flagged'),
  'task.updated': taskUpdated,
  'key.rotated': () => t('activity.key.rotated'),
  'key.revoked': () => t('activity.key.revoked'),
  'key.expiring': () => unauthored(t('activity.key.expiring')),
  'key.refused': () => unauthored(t('activity.key.refused')),
  'access.updated': () => t('activity.access.updated'),
  'sign_in.updated': () => t('activity.sign_in.updated'),
  'sign_in.removed': () => t('activity.sign_in.removed'),
  'workspace.imported': () => t('activity.workspace.imported'),
} as const satisfies Partial<Record<EventType, Describe>>

/** The events with a sentence of their own. */
export type DescribedEvent = keyof typeof stories
