import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { limits } from '@muster/contract'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(root + path, 'utf8')

/** The rows of the first table below a heading, as lists of cells. */
function tableOf(document: string, heading: string): string[][] {
  const [, section = ''] = read(document).split(new RegExp(`^#{1,3} ${heading}$`, 'm'))
  const [table = ''] = /(?:^\|.*\n)+/m.exec(section.split(/^##/m)[0] ?? '') ?? []
  const rows = table.trimEnd().split('\n').slice(2)
  assert.ok(rows.length > 0, `${document} has no table ${heading}`)
  return rows.map((row) => Array.from(row.matchAll(/\|([^|]+)/g), ([, cell = '']) => cell.trim()))
}

const quoted = (cell = '') => Array.from(cell.matchAll(/`([^`]+)`/g), ([, text = '']) => text)

const testFiles = globSync('packages/api/test/**/*.ts', { cwd: root })

/** Documents name files from the root, from the API or its source, and tests by name alone. */
function locate(name: string): string {
  const places = ['', 'packages/api/', 'packages/api/src/'].map((place) => place + name)
  const found =
    places.find((path) => existsSync(root + path)) ??
    testFiles.find((path) => basename(path) === name)
  assert.ok(found, `no file ${name}`)
  return found
}

/** The first comment of a file: a block, or consecutive line comments. */
function firstComment(source: string): string {
  const [comment = ''] = /\/\*[\s\S]*?\*\/|(?:^[ \t]*(?:\/\/|--|#).*\n?)+/m.exec(source) ?? []
  return comment.replaceAll(/\s*\n\s*(?:\*|\/\/|--|#)?\s*/g, ' ')
}

const mechanisms = tableOf('ARCHITECTURE.md', 'Where things are')

test('the file of a mechanism has its term in the path or in the first comment', () => {
  for (const [term = '', file = '', tests = ''] of mechanisms) {
    const path = locate(quoted(file)[0] ?? '')
    const text = `${path.replaceAll('-', ' ')} ${firstComment(read(path))}`.toLowerCase()
    assert.ok(text.includes(term.toLowerCase()), `${path} does not name ${term}`)
    const named = quoted(tests).map(locate)
    assert.ok(named.length > 0, `${term} names no test`)
  }
})

test('the mechanisms that reviewers search for are in the table', () => {
  const terms = new Set(mechanisms.map(([term]) => term))
  for (const term of [
    'authentication',
    'rate limiting',
    'load shedding',
    'request smuggling',
    'circuit breaker',
    'single flight',
    'keyset pagination',
    'optimistic locking',
    'idempotency',
    'row level security',
  ]) {
    assert.ok(terms.has(term), `${term} is missing`)
  }
})

const number = String.raw`\d{1,3}(?: \d{3})+|\d+(?:\.\d+)?`
const scales: Readonly<Record<string, number>> = {
  s: 1000,
  minute: 60_000,
  minutes: 60_000,
  KiB: 1024,
  'KiB/s': 1024,
  MiB: 1024 ** 2,
}
const units = Object.keys(scales).concat('ms', 'hours', 'days', 'kB', 'MB', 'rows', 'packages')
const longestFirst = units.toSorted((a, b) => b.length - a.length).join('|')
const quantity = new RegExp(
  String.raw`(?<![\w.:/-])(${number})(?: (${longestFirst})\b)?(?![\w-])`,
  'g',
)

interface Quantity {
  readonly text: string
  readonly value: number
  readonly unit: string | null
}

/** The numbers of a text, without those in code and status codes. */
const quantitiesOf = (text: string): Quantity[] =>
  Array.from(text.replaceAll(/`[^`]*`/g, '').matchAll(quantity), ([found, value = '', unit]) => ({
    text: found,
    value: Number(value.replaceAll(' ', '')),
    unit: unit ?? null,
  })).filter(({ value, unit }) => unit !== null || ![304, 400, 404, 405, 429, 503].includes(value))

/** Whether source code has the number, in its unit or in the base unit, or the first one over it. */
function mentions(source: string, { value, unit }: Quantity): boolean {
  const plain = source.replaceAll(/(?<=\d)[_ ](?=\d{3}\b)/g, '')
  const scaled = value * (scales[unit ?? ''] ?? 1)
  const forms = [value, scaled, value + 1].map((each) => String(each).replace('.', String.raw`\.`))
  return new RegExp(String.raw`(?<![\d.])(?:${forms.join('|')})(?![\d.])`).test(plain)
}

const bounds = tableOf('ARCHITECTURE.md', 'Bounds')

interface Bound {
  readonly bound: string
  readonly value: string
  readonly setIn: string
  readonly tests: string
}

/** The value is in the file that sets it, and in a test by its value or its name. */
function assertHeld({ bound, value, setIn, tests }: Bound): void {
  const stated = quantitiesOf(value)
  assert.ok(stated.length > 0, `${bound} has no number`)
  const unit = stated.at(-1)?.unit ?? null
  const isIn = (path: string) => stated.some((each) => mentions(read(path), { ...each, unit }))
  assert.ok(isIn(setIn), `${setIn} does not set "${bound}" to ${value}`)
  const named = quoted(tests).map(locate)
  assert.ok(named.length > 0, `${bound} names no test`)
  const hasName = (path: string) => quoted(value).some((name) => read(path).includes(name))
  assert.ok(
    named.some((path) => isIn(path) || hasName(path)),
    `${named.join()} mentions neither ${value} nor a name of "${bound}"`,
  )
}

test('a bound is in the file that sets it, and in a test by its value or its name', () => {
  assert.ok(bounds.length > 30, `${bounds.length} bounds`)
  for (const [bound = '', value = '', setIn = '', tests = ''] of bounds) {
    assertHeld({ bound, value, setIn: locate(quoted(setIn)[0] ?? ''), tests })
  }
})

const threats = tableOf('SECURITY.md', 'Threats and protections')

/** Whether a row of SECURITY.md and a bound name the same test. */
const isAbout = (boundTests: string, rowTests: readonly string[]) =>
  quoted(boundTests).some((name) => rowTests.includes(locate(name)))

test('every number in the threats of SECURITY.md is in a test of its row, or a bound of one', () => {
  for (const [threat = '', protection = '', tests = ''] of threats) {
    const named = quoted(tests).map(locate)
    const values = bounds
      .filter(([, , , boundTests = '']) => isAbout(boundTests, named))
      .flatMap(([, value = '']) => quantitiesOf(value))
    const listed = new Set(values.map(({ text }) => text))
    for (const each of quantitiesOf(protection)) {
      const isHeld = listed.has(each.text) || named.some((path) => mentions(read(path), each))
      assert.ok(isHeld, `${threat}: no test of the row, and no bound of one, has ${each.text}`)
    }
  }
})

test('SECURITY.md states shares in digits, as a bound does', () => {
  const text = read('SECURITY.md')
  assert.deepEqual(text.match(inWords) ?? [], [], 'numbers in words')
  const values = new Set(bounds.map(([, value = '']) => value))
  for (const [share] of text.matchAll(/\d+ in \d+/g)) {
    assert.ok(values.has(share), `no bound is ${share}`)
  }
})

/** A number in words is compared with nothing. */
const inWords = /\b(?:quarter|half|third|tenth|twentieth|dozen|hundred|thousand)s?\b/gi

const limitsPage = 'docs/concepts/limits.md'
const limitsTables = ['Rate limits', 'Sizes'].flatMap((heading) => tableOf(limitsPage, heading))

test('the limits in the documentation are those of the contract, each with a test', () => {
  const setIn = 'packages/contract/src/limits.ts'
  for (const [bound = '', value = '', tests = ''] of limitsTables) {
    assertHeld({ bound, value, setIn, tests })
  }
})

test('the quotas in the documentation are those of the contract', () => {
  const stated = tableOf('docs/reference/quotas.md', 'Quotas').map(([name = '', value = '']) => [
    quoted(name)[0],
    Number(value.replaceAll(' ', '')),
  ])
  assert.deepEqual(Object.fromEntries(stated), limits.quota)
})

test('the text of the documents states no number that is not in a table of bounds', () => {
  const rows = [...bounds, ...limitsTables]
  const listed = new Set(
    rows.flatMap((cells) => quantitiesOf(cells.join(' '))).map(({ text }) => text),
  )
  const concepts = globSync('docs/concepts/*.md', { cwd: root })
  for (const document of ['README.md', 'ARCHITECTURE.md', 'SECURITY.md', ...concepts]) {
    const prose = read(document)
      .replaceAll(/^```[\s\S]*?^```$/gm, '')
      .replaceAll(/^\|.*$/gm, '')
    // Other documents also count what they describe.
    const isPromise = ({ unit }: Quantity) => unit !== null || document === 'SECURITY.md'
    const stated = quantitiesOf(prose.replaceAll(/\s+/g, ' ')).filter(isPromise)
    const loose = stated.map(({ text }) => text).filter((text) => !listed.has(text))
    assert.deepEqual(loose, [], document)
  }
})

test('each check can fail', () => {
  const eightSeconds = { text: '8 s', value: 8, unit: 's' }
  assert.ok(mentions('read: 8000,', eightSeconds))
  assert.ok(mentions('const waitMs = 8_000', eightSeconds))
  assert.ok(!mentions('read: 80, write: 18000, 8.5', eightSeconds))
  assert.deepEqual(
    quantitiesOf('30 000 a minute, 2.5 s, SHA-256, 503, `8`').map(({ text }) => text),
    ['30 000', '2.5 s'],
  )
  assert.match('a quarter of the places', inWords)
  const unheld = { bound: 'b', value: '7 s', setIn: 'README.md', tests: '`README.md`' }
  assert.throws(() => assertHeld(unheld), /does not set/)
  assert.match(firstComment('import x\n\n/** Load\n * shedding. */\n/** Other */'), /Load shedding/)
  assert.doesNotMatch(firstComment('/** One */\n/** Load shedding */'), /Load/)
})
