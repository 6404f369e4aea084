import { formatDay, formatInstant } from './dates.ts'
import { t } from './index.ts'
import { fieldLabel, label, type LabelSet } from './labels.ts'

/** Names of people, groups and projects, by id. */
export type Names = ReadonlyMap<string, string>

/** Label sets by resource type and field. */
const labelSets: Readonly<Record<string, Readonly<Record<string, LabelSet>>>> = {
  risk: {
    status: 'riskStatus',
    category: 'riskCategory',
    response: 'riskResponse',
    close_reason: 'riskCloseReason',
    level: 'level',
    flags: 'riskFlag',
  },
  issue: {
    status: 'issueStatus',
    type: 'issueType',
    close_reason: 'issueCloseReason',
    flags: 'issueFlag',
  },
  project: { status: 'projectStatus', health: 'projectHealth' },
  person: { status: 'personStatus' },
  group: { status: 'groupStatus' },
  task: { status: 'taskStatus' },
  key: { status: 'keyStatus' },
}

/** Resource type of an id, by its prefix, as used in event types. */
export const nounOfId = (id: string) => nouns[id.slice(0, 3)] ?? ''

const nouns: Readonly<Record<string, string>> = {
  rsk: 'risk',
  iss: 'issue',
  prj: 'project',
  usr: 'person',
  grp: 'group',
  tsk: 'task',
  key: 'key',
}

/** True for fields that the service maintains; change lists leave them out. */
export const isOwnField = (field: string) => ownFields.has(field)

const ownFields = new Set([
  'version',
  'updated_at',
  'status_changed_at',
  'health_set_at',
  'members_changed_at',
  'score_changed_at',
  'identified_at',
  'last_reviewed_at',
  'last_used_at',
  'last_used_from',
])

/** True for null, undefined, an empty string and an empty list. */
export const isNone = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

interface ValueContext {
  readonly noun: string
  readonly field: string
  readonly names: Names
}

/** Formats an API value for display: names for ids, labels, dates, and “—” for none. */
export function formatValue(value: unknown, context: ValueContext): string {
  if (isNone(value) || value === null) return t('value.none')
  if (typeof value === 'string') return formatText(value, context)
  if (typeof value !== 'object') return JSON.stringify(value)
  const parts = Array.isArray(value)
    ? value.map((each) => formatValue(each, context))
    : Object.entries(value).map(
        ([field, each]) => `${fieldLabel(field)} ${formatValue(each, { ...context, field })}`,
      )
  return parts.join(', ')
}

function formatText(text: string, { noun, field, names }: ValueContext): string {
  const set = labelSets[noun]?.[field]
  if (set) return label(set, text)
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatDay(text)
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)) return formatInstant(text)
  return names.get(text) ?? (/^[a-z]{3}_[\da-z]{26}$/.test(text) ? unnamed(text) : text)
}

/** An id is never shown, also while its name loads or if the caller may not see it. */
function unnamed(id: string): string {
  if (id.startsWith('usr_')) return t('actor.name.person')
  return id.startsWith('grp_') ? t('group.unnamed') : t('value.record')
}

/** Collects all user ids in these values, at any depth. */
export function userIdsIn(values: readonly unknown[]): string[] {
  return values.flatMap((value) => {
    if (typeof value === 'string') return /^usr_\w{26}$/.test(value) ? [value] : []
    return typeof value === 'object' && value !== null ? userIdsIn(Object.values(value)) : []
  })
}
