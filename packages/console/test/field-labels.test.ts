import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { isList, type Operation, operations } from '@muster/contract'

import { en } from '#text/en/index.ts'

import { named, notShown } from './field-exceptions.ts'

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

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
}

/** The fields of an object; those of a nested object have dotted names. */
const fieldsOf = ({ properties = {} }: Schema): string[] =>
  Object.entries(properties).flatMap(([name, field]) =>
    field.properties ? fieldsOf(field).map((inner) => `${name}.${inner}`) : [name],
  )

const paging = new Set(['limit', 'cursor', 'include', 'after', 'format', 'sort'])

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
