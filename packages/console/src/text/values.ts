import { formatDay, formatInstant } from './dates.ts'
import { t } from './index.ts'
import { fieldLabel, label, type LabelSet } from './labels.ts'

/** Names of people, groups and projects, by id. */
export type Names = ReadonlyMap<string, string>

/** What a field's words are called depends on what it is a field of. */
const words: Readonly<Record<string, Readonly<Record<string, LabelSet>>>> = {
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

/** What a thing is called in events, by the beginning of its id. */
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

/** What the service keeps by itself says nothing to whoever reads what changed. */
export const isOwnField = (field: string) => ownFields.has(field)

const ownFields = new Set([
  'version',
  'updated_at',
  'status_changed_at',
  'health_set_at',
  'members_changed_at',
  'score_changed_at',
  'last_reviewed_at',
  'last_used_at',
  'last_used_from',
])

/** Nothing was said, or of a list nothing is in it. */
export const isNone = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

interface Told {
  readonly noun: string
  readonly field: string
  readonly names: Names
}

/** A value of the API as people say it: names for ids, words, days, and nothing for none. */
export function tell(value: unknown, told: Told): string {
  if (isNone(value) || value === null) return t('value.none')
  if (typeof value === 'string') return tellText(value, told)
  if (typeof value !== 'object') return JSON.stringify(value)
  const parts = Array.isArray(value)
    ? value.map((each) => tell(each, told))
    : Object.entries(value).map(
        ([field, each]) => `${fieldLabel(field)} ${tell(each, { ...told, field })}`,
      )
  return parts.join(', ')
}

function tellText(text: string, { noun, field, names }: Told): string {
  const set = words[noun]?.[field]
  if (set) return label(set, text)
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatDay(text)
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)) return formatInstant(text)
  return names.get(text) ?? text
}

/** The user ids in these values, however deep. */
export function userIdsIn(values: readonly unknown[]): string[] {
  return values.flatMap((value) => {
    if (typeof value === 'string') return /^usr_\w{26}$/.test(value) ? [value] : []
    return typeof value === 'object' && value !== null ? userIdsIn(Object.values(value)) : []
  })
}
