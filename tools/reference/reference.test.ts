import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'

import { settings } from '@muster/api/config'
import { events, everyOperation, HistoryEntry, problems, scopes } from '@muster/contract'

import { csvPage } from './csv.ts'
import { actors, eventsPage } from './events.ts'
import { problemsPage } from './problems.ts'
import { quotasPage } from './quotas.ts'
import { scopesPage } from './scopes.ts'
import { settingsPage } from './settings.ts'

const folder = new URL('../../docs/reference/', import.meta.url)
const pages: Readonly<Record<string, () => string>> = {
  'csv.md': csvPage,
  'events.md': eventsPage,
  'problems.md': problemsPage,
  'quotas.md': quotasPage,
  'scopes.md': scopesPage,
  'settings.md': settingsPage,
}

for (const [name, write] of Object.entries(pages)) {
  test(`docs/reference/${name} matches the code`, () => {
    const file = new URL(name, folder)
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, write())
    assert.equal(readFileSync(file, 'utf8'), write(), `${name} is stale. Run: npm run golden`)
  })
}

/** The pages are compared as a reader finds them, so that a generator cannot omit anything. */
const text = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const headingsOf = (name: string, level: string) =>
  Array.from(text(name).matchAll(new RegExp(`^${level} (.+)$`, 'gm')), ([, title = '']) => title)

test('every setting, scope and problem has a section, and no other has one', () => {
  assert.deepEqual(
    headingsOf('settings.md', '##'),
    settings.map(({ name }) => name),
  )
  assert.deepEqual(headingsOf('scopes.md', '##'), [
    ...scopes,
    'Any key or person',
    'People',
    'Extras of lists',
  ])
  assert.deepEqual(headingsOf('problems.md', '###').toSorted(), Object.keys(problems).toSorted())
})

test('every setting that config.ts reads from the environment is a setting of the page', () => {
  const source = readFileSync(
    new URL('../../packages/api/src/config/config.ts', import.meta.url),
    'utf8',
  )
  const names = Array.from(source.matchAll(/^ {2}([A-Z][A-Z_]+): /gm), ([, name]) => name)
  assert.ok(names.length > 10)
  assert.deepEqual(headingsOf('settings.md', '##'), names)
})

test('every event and every operation with a scope is listed', () => {
  const rowsOf = (name: string) =>
    Array.from(text(name).matchAll(/^\| `([^`]+)` \|/gm), ([, first]) => first)
  assert.deepEqual(rowsOf('events.md'), [...Object.keys(actors), ...Object.keys(events)])
  const listed = new Set(rowsOf('scopes.md'))
  for (const { name } of everyOperation()) assert.ok(listed.has(name), name)
})

test('the actors of events are those of the contract', () => {
  const { type } = HistoryEntry.properties.actor.properties
  assert.deepEqual(Object.keys(actors), 'x-extensible-enum' in type && type['x-extensible-enum'])
})

test('every history is named as one that also shows events', () => {
  const histories = everyOperation().filter(({ name }) => name.endsWith('.history'))
  const shownBy = new Set(
    Array.from(text('events.md').matchAll(/`(\w+\.history)` \|$/gm), ([, name = '']) => name),
  )
  assert.deepEqual([...shownBy].toSorted(), histories.map(({ name }) => name).toSorted())
})

test('the folder contains generated pages only', () => {
  const found = readdirSync(folder).filter((name) => name !== 'README.md')
  assert.deepEqual(found.toSorted(), Object.keys(pages))
})
