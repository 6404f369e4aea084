import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { isList, type Operation, operations } from '@muster/contract'

import { en } from '#text/en/index.ts'

/**
 * Every field and every filter that the contract has for a noun has a label in the console, or is
 * listed here with the reason why the console does not show it.
 */
interface Shown {
  /** The folder of the pages. */
  readonly folder: string
  /** How the keys of its texts begin. */
  readonly prefixes: readonly string[]
}

const shown: Readonly<Record<string, Shown>> = {
  personnel: { folder: 'nouns/people', prefixes: ['person', 'people'] },
  groups: { folder: 'nouns/groups', prefixes: ['group', 'groups'] },
  projects: { folder: 'nouns/projects', prefixes: ['project', 'projects'] },
  risks: { folder: 'nouns/risks', prefixes: ['risk.field', 'risk', 'risks'] },
  acceptances: { folder: 'nouns/risks', prefixes: ['acceptances', 'risk.acceptance'] },
  issues: { folder: 'nouns/issues', prefixes: ['issue', 'issues'] },
  tasks: { folder: 'nouns/tasks', prefixes: ['task', 'tasks'] },
  keys: { folder: 'nouns/keys', prefixes: ['key', 'keys'] },
  workspace: { folder: 'pages/workspace', prefixes: ['workspace'] },
  audit: { folder: 'pages/audit', prefixes: ['audit'] },
}

/** The labels whose keys do not follow from the names of the fields. */
const named: Readonly<Record<string, string>> = {
  'personnel.title': 'people.job',
  'personnel.end_on': 'word.last-day',
  'personnel.group_ids': 'groups.title',
  'personnel.status_reason': 'word.reason',
  'personnel.status_changed_at': 'person.since',
  'personnel.assignable': 'person.new-work',
  'personnel.created_at': 'person.added-on',
  'personnel.updated_at': 'word.changed',
  'personnel.metadata': 'record.metadata',
  'groups.member_count': 'word.members',
  'groups.updated_at': 'word.changed',
  'projects.health_note': 'word.reason',
  'projects.risk_appetite': 'project.appetite',
  'projects.metadata': 'record.metadata',
  'risks.inherent.likelihood': 'risk.field.inherent',
  'risks.inherent.impact': 'risk.field.inherent',
  'risks.inherent.score': 'risk.field.inherent',
  'risks.target.likelihood': 'risk.field.target.rating',
  'risks.target.impact': 'risk.field.target.rating',
  'risks.target.score': 'risk.field.target.rating',
  'risks.acceptance.accepted_by_user_id': 'word.accepted-by',
  'risks.acceptance.accepted_at': 'risk.acceptance.at',
  'risks.acceptance.expires_on': 'risk.acceptance.until',
  'risks.acceptance.rationale': 'risk.rationale',
  'risks.acceptance.score': 'word.score-then',
  'risks.acceptance.risk_appetite': 'word.appetite-then',
  'risks.close_reason': 'word.reason',
  'risks.close_note': 'risk.close.note',
  'risks.links': 'links.title',
  'risks.issue_ids': 'issues.title',
  'risks.metadata': 'record.metadata',
  'acceptances.title': 'word.risk',
  'acceptances.accepted_at': 'acceptances.at',
  'acceptances.expires_on': 'acceptances.until',
  'acceptances.rationale': 'risk.rationale',
  'acceptances.risk_appetite': 'word.appetite-then',
  'acceptances.ended_at': 'word.status',
  'acceptances.end_reason': 'word.status',
  'acceptances.accepted_by.user_id': 'word.accepted-by',
  'acceptances.accepted_by.name': 'word.accepted-by',
  'issues.links': 'links.title',
  'issues.metadata': 'record.metadata',
  'tasks.risk_id': 'task.for',
  'tasks.issue_id': 'task.for',
  'tasks.links': 'links.title',
  'keys.allowed_cidrs': 'keys.networks',
  'keys.scopes': 'keys.may',
  'keys.user_id': 'word.person',
  'keys.created_by.type': 'keys.created-by',
  'keys.created_by.id': 'keys.created-by',
  'keys.created_by.user_id': 'keys.created-by',
  'keys.last_used_from': 'word.last-used',
  'workspace.policies.key_days_max': 'workspace.key-days',
  'workspace.policies.session_days': 'workspace.session-days',
  'workspace.policies.session_idle_hours': 'workspace.idle-hours',
  'workspace.policies.sign_in_methods': 'workspace.methods',
  'workspace.updated_at': 'word.changed',
  'audit.actor.type': 'audit.who',
  'audit.actor.id': 'audit.who',
  'audit.actor.user_id': 'audit.who',
  'audit.user_id': 'word.person',
  'audit.subject_id': 'audit.what',
  'audit.reason': 'audit.what',
  'audit.network': 'audit.from',
  'audit.user_agent': 'audit.client',
  'audit.count': 'audit.what',
  'audit.occurred_at': 'audit.time',
  'audit.is_imported': 'audit.imported',
}

/** What the console does not show, and why. */
const notShown: Readonly<Record<string, string>> = {
  'personnel.id': 'the address of the page contains it',
  'personnel.user_id': 'it is the id',
  'personnel.erased_at': 'a notice states that the data is erased',
  'personnel.version': 'the console sends it with a change',
  'personnel?user_id': 'it is for programs; people are found by name',
  'personnel?email': 'it is for programs; people are found by name and email with a search',
  'personnel?external_id': 'it is for programs; people are found by name',
  'groups.id': 'the address of the page contains it',
  'groups.status': 'a notice states that the group is archived',
  'groups.metadata': 'its keys are the labels',
  'groups.version': 'the console sends it with a change',
  'groups?status': 'the views of the list stand for it',
  'groups?external_id': 'it is for programs; groups are found by name',
  'projects.id': 'the address of the page contains it',
  'projects.health_set_at': 'a sentence beside the health states it',
  'projects.version': 'the console sends it with a change',
  'projects.created_at': 'the first entry of the activity states it',
  'projects?code': 'projects are found by code and name with a search',
  'projects?id': 'it is for programs; projects are found by name',
  'projects?external_id': 'it is for programs; projects are found by name',
  'risks.id': 'the address of the page contains it',
  'risks.acceptance.likelihood': 'the score stands for both ratings',
  'risks.acceptance.impact': 'the score stands for both ratings',
  'risks.acceptance.level': 'the colour of the score shows it',
  'risks.previous_score': 'an arrow beside the score shows it',
  'risks.score_changed_at': 'the chart of the score shows it',
  'risks.occurred_at': 'the activity states it',
  'risks.version': 'the console sends it with a change',
  'risks?id': 'it is for programs; risks are found by reference',
  'risks?external_id': 'it is for programs; risks are found by reference',
  'risks?score_min': 'the filter by level stands for it',
  'risks?accepted': 'the view of risks above the appetite sets it',
  'acceptances.likelihood': 'the score stands for both ratings',
  'acceptances.impact': 'the score stands for both ratings',
  'acceptances.level': 'the colour of the score shows it',
  'acceptances.project.id': 'the reference begins with the code of the project',
  'acceptances.project.code': 'the reference begins with the code of the project',
  'acceptances.project.name': 'the reference begins with the code of the project',
  'acceptances?risk_id': 'it is for programs; the page of a risk shows its acceptance',
  'issues.id': 'the address of the page contains it',
  'issues.flags': 'the due date shows that the issue is overdue',
  'issues.version': 'the console sends it with a change',
  'issues.created_at': 'the day of opening is shown',
  'issues.updated_at': 'the activity has every change',
  'issues?id': 'it is for programs; issues are found by reference',
  'issues?external_id': 'it is for programs; issues are found by reference',
  'tasks.id': 'the address of the page contains it',
  'tasks.version': 'the console sends it with a change',
  'tasks.created_at': 'the first entry of the activity states it',
  'tasks.updated_at': 'the activity has every change',
  'tasks?external_id': 'it is for programs; tasks are found by reference',
  'tasks?risk_id': 'the page of a risk lists its tasks',
  'tasks?issue_id': 'the page of an issue lists its tasks',
  'keys.id': 'the address of the page contains it',
  'keys.version': 'the console sends it with a change',
  'keys.updated_at': 'the audit log has every change',
  'keys?status': 'the views of the list stand for it',
  'workspace.version': 'the console sends it with a change',
  'audit.id': 'it is for programs',
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
}

/** The fields of an object; those of a nested object have dotted names. */
const fieldsOf = ({ properties = {} }: Schema): string[] =>
  Object.entries(properties).flatMap(([name, field]) =>
    field.properties ? fieldsOf(field).map((inner) => `${name}.${inner}`) : [name],
  )

const paging = new Set(['limit', 'cursor', 'include', 'after', 'sort'])

// The cast holds because every member of a noun is an operation.
const verbsOf = (noun: string) =>
  (operations as unknown as Record<string, Record<string, Operation>>)[noun] ?? {}

function responseFields(noun: string): string[] {
  const { view, list } = verbsOf(noun)
  const item = view?.response ?? (list && isList(list) ? list.item : {})
  return fieldsOf(item)
}

const filtersOf = (noun: string): string[] => [
  ...new Set(
    Object.values(verbsOf(noun))
      .filter(isList)
      .flatMap(({ query }) => Object.keys(query.properties))
      .filter((name) => !paging.has(name)),
  ),
]

const source = fileURLToPath(new URL('../src', import.meta.url))
const files = globSync(`${source}/**/*.{ts,tsx}`)
  .filter((path) => !path.includes('/text/'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

const inFolder = (folder: string) =>
  files.filter(({ path }) => path.startsWith(`${source}/${folder}/`))

/** Whether a page uses the field. A name in quotation marks can be that of a filter or a text. */
function isRead(folder: string, field: string): boolean {
  const name = new RegExp(`\\b${field.split('.').at(-1)}\\b`)
  return inFolder(folder).some(({ text }) => name.test(text.replaceAll(/'[^'\n]*'/g, '')))
}

/** A label has no placeholder and no full stop, unlike a message. */
function isLabel(key: string): boolean {
  const text = textOf(key)
  return typeof text === 'string' && !/\{|\.$/.test(text)
}

const texts: Readonly<Record<string, unknown>> = en
const textOf = (key: string) => texts[key]

/** Some keys are made from a part and the name of the field. */
const isUsed = (key: string) =>
  files.some(({ text }) => text.includes(`'${key}'`)) ||
  files.some(({ text }) => text.includes(`\`${key.slice(0, key.lastIndexOf('.'))}.\${field}\``))

/** `last_reviewed_at` is `last-reviewed-at` or `last-reviewed`, `owner_user_id` is `owner`. */
function namesOf(field: string): string[] {
  const kebab = field.replaceAll('_', '-')
  const short = kebab.replace(/(?:-user)?-id(s?)$/, '$1').replace(/-(?:at|on)$/, '')
  return [kebab, short]
}

/** The title of a page is not the label of the field `title`. */
const isHeading = (key: string) => key.endsWith('.title') && textOf(key) !== 'Title'

/** Nouns share the texts of words, so the pages of the noun itself must use them. */
const isWord = (key: string) => key.startsWith('word.')

/** A text of another noun is used by the pages of this noun, or by a part that records share. */
function isUsedFor(noun: string, key: string): boolean {
  const { folder = '', prefixes = [] } = shown[noun] ?? {}
  if (prefixes.some((prefix) => key.startsWith(`${prefix}.`))) return isUsed(key)
  const using = isWord(key) ? inFolder(folder) : [...inFolder(folder), ...inFolder('kit/record')]
  return using.some(({ text }) => text.includes(`'${key}'`))
}

function labelOf(noun: string, field: string): string | undefined {
  const { prefixes = [] } = shown[noun] ?? {}
  return [...prefixes, 'word']
    .flatMap((prefix) => namesOf(field).map((name) => `${prefix}.${name}`))
    .filter((key) => isLabel(key) && isUsedFor(noun, key))
    .find((key) => !isHeading(key))
}

for (const [noun, { folder }] of Object.entries(shown)) {
  for (const field of responseFields(noun)) {
    const entry = `${noun}.${field}`
    if (entry in notShown) continue
    test(`${entry} has a label`, () => {
      const key = named[entry] ?? labelOf(noun, field)
      assert.ok(key, 'no text has the name of the field')
      assert.ok(isLabel(key), `${key} is no label`)
      assert.ok(isUsedFor(noun, key), `${key} is not used`)
      assert.ok(isRead(folder, field), 'no page uses the field')
    })
  }

  for (const filter of filtersOf(noun)) {
    const entry = `${noun}?${filter}`
    if (entry in notShown) continue
    test(`${entry} has a label`, () => {
      assert.ok(filterKey(folder, filter), 'no page offers the filter')
    })
  }
}

/** How the keys of the labels in a folder begin. */
const areasOf = (folder: string) =>
  Object.values(shown)
    .filter((each) => each.folder === folder)
    .flatMap(({ prefixes }) => prefixes.map((prefix) => prefix.split('.')[0]))

const labelText = String.raw`(?:label: )?t\('([\w.-]+)'\)`

/** The constants of the filters that lists share. */
const sharedFilters: Readonly<Record<string, string>> = { q: 'searchFilter', tag: 'tagFilter' }

/**
 * The label of a filter: beside its name, in the description of the field that it takes its label
 * from, or of a filter that lists share.
 */
function filterKey(folder: string, filter: string): string | undefined {
  const areas = new Set(['filter', 'word', ...areasOf(folder)])
  const beside = new RegExp(`'${filter}',\\s*${labelText}`)
  const ofField = new RegExp(`[fF]ilter(?:Of)?\\(\\w+\\.${filter}\\b`)
  const described = new RegExp(`\\b${filter}: \\{[^}]*?${labelText}`)
  const offering = inFolder(folder).filter(({ text }) => text.includes('FilterField'))
  const isOffered = (pattern: RegExp) => offering.some(({ text }) => pattern.test(text))
  const shared = sharedFilters[filter]
  const isShared = shared !== undefined && isOffered(new RegExp(`\\b${shared}\\b`))
  const keysIn = (pattern: RegExp, among: typeof files) =>
    among.flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])
  const keys = [
    ...keysIn(beside, offering),
    ...(isOffered(ofField) ? keysIn(described, inFolder(folder)) : []),
    ...(isShared ? keysIn(beside, inFolder('kit/fields')) : []),
  ]
  return keys.filter(isLabel).find((key) => areas.has(key.split('.')[0]))
}

test('no entry of the lists is needless', () => {
  const fields = new Set(
    Object.keys(shown).flatMap((noun) => responseFields(noun).map((field) => `${noun}.${field}`)),
  )
  const filters = new Set(
    Object.keys(shown).flatMap((noun) => filtersOf(noun).map((filter) => `${noun}?${filter}`)),
  )
  const isFound = (entry: string) => {
    const [, noun = '', mark, name = ''] = /^(\w+)([.?])(.*)$/.exec(entry) ?? []
    const folder = shown[noun]?.folder ?? ''
    if (mark === '?') return filterKey(folder, name) !== undefined
    const found = labelOf(noun, name)
    if (found === undefined) return false
    // A word can be the label of another field on the pages of the noun.
    const isOther = isWord(found) && found !== (named[entry] ?? found)
    return !isOther && isRead(folder, name)
  }
  const entries = [...Object.keys(named), ...Object.keys(notShown)]
  const unknown = entries.filter((entry) => !fields.has(entry) && !filters.has(entry))
  assert.deepEqual(unknown, [], 'of the contract')
  assert.deepEqual(entries.filter(isFound), [], 'has a label by its name')
  assert.deepEqual(
    Object.keys(named).filter((entry) => entry in notShown),
    [],
  )
})

test('every text that a page names exists', () => {
  const keys = files.flatMap(({ text }) => [...text.matchAll(/\bt\(\s*'([^']+)'/g)])
  assert.ok(keys.length > 500, `${keys.length} texts`)
  assert.deepEqual(
    keys.map(([, key = '']) => key).filter((key) => !(key in texts)),
    [],
  )
})
