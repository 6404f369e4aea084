import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('../../', import.meta.url))

/**
 * American spellings. Terms of programming keep theirs: authorization, serializable, parameterized,
 * dialog, program, and the catalog of PostgreSQL.
 */
const american = new RegExp(
  [
    String.raw`\b(?:organ|recogn|summar|normal|minim|maxim|optim|custom|priorit|categor|final|util`,
    String.raw`|synchron|real|special|standard|capital|local|emphas|apolog|visual|random|sanit)iz\w*`,
    String.raw`|\b(?:analyz|behavior|favor|honor|neighbor|labor|harbor|flavor)\w*`,
    String.raw`|\b(?:center|color|gray)(?:s|ed|ing|ful)?\b`,
    String.raw`|\b(?:cancel|label|travel|model|signal|level|fuel|total)(?:ed|ing)\b`,
    String.raw`|\b(?:fulfill|enroll)\b|\b(?:defense|offense|judgment|acknowledgment|artifact)s?\b`,
  ].join(''),
  'i',
)

/** Quotations and values of the API. */
const allowed: readonly string[] = [
  'docs/guides/sign-in-with-entra.md "center"',
  'docs/guides/sign-in-with-entra.md "organizational"',
  'e2e/import.test.ts "organizational"',
  'packages/api/test/database/database.test.ts "canceling"',
  'packages/api/test/large/rows.ts "organizational"',
]

/** The code of conduct is the Contributor Covenant. */
const others = new Set(['tools/rules/spelling.test.ts', 'CODE_OF_CONDUCT.md'])
const sources = [
  'packages/*/{src,test}/**/*.{ts,tsx,css}',
  'packages/api/migrations/*.sql',
  '{bench,e2e,tools}/**/*.{ts,tsx}',
  'docs/**/*.md',
  '*.md',
]
const files = globSync(sources, { cwd }).filter((file) => !others.has(file))

/** Text without code, and without the one name of CSS that is in the HTML of pages. */
const withoutCode = (text: string) =>
  text.replaceAll(/`[^`\n]*`|\$\{[^}]*\}|\bprefers-color-scheme\b/g, '')
const blank = (text: string) => text.replaceAll(/[^\n]/g, '')

/** Markdown without code and addresses. */
const proseOfPage = (text: string) =>
  withoutCode(text.replaceAll(/^```.*?^```/gms, blank).replaceAll(/\]\([^)]*\)/g, ']')).split('\n')

const comment = /(?:^|\s)(?:\/\/|\/\*|\*|--)\s.*/
const literal = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`/g
const statement = /\b(?:vacuum|analyze|select|from|set)\b/

/** The comment of a line, and its literals that are words: with a space, or one name with a capital. */
function proseOfLine(line: string): string {
  const [remark = ''] = comment.exec(line) ?? []
  const literals = (line.replace(remark, '').match(literal) ?? []).filter(
    (text) => / /.test(text) || /^'[A-Z][a-z]+'$/.test(text),
  )
  return withoutCode(
    [
      remark,
      ...literals.filter((text) => !statement.test(text)).map((text) => text.slice(1, -1)),
    ].join(' '),
  )
}

const proseOf = (file: string, text: string) =>
  file.endsWith('.md') ? proseOfPage(text) : text.split('\n').map(proseOfLine)

const find = (file: string, text: string) =>
  proseOf(file, text).flatMap((line, index) => {
    const [match] = american.exec(line) ?? []
    return match === undefined ? [] : [`${file}:${index + 1} "${match}"`]
  })

test('finds American spellings in prose, and leaves code alone', () => {
  const finds = (file: string, text: string) => find(file, text).length === 1
  assert.ok(finds('a.md', 'Each organization has its own.'))
  assert.ok(finds('a.ts', "  'start.about': 'The task was canceled.',"))
  assert.ok(finds('a.ts', "  organizational: 'Organizational',"))
  assert.ok(finds('a.ts', '  // The color of the level.'))
  assert.ok(finds('a.css', '/* Gray on gray. */'))
  assert.ok(finds('a.sql', '-- This behavior is the default.'))
  for (const [file, text] of [
    ['a.md', 'The value `organizational` and [a page](color.md).\n```sh\nanalyze\n```'],
    ['a.ts', "const color = normalize('organizational')"],
    ['a.ts', "await sql.query('vacuum analyze risks')"],
    ['a.ts', '/** The header Authorization; the cancelled task. */'],
    ['a.css', '.center {'],
    ['a.css', '  text-align: center;'],
  ] as const) {
    assert.deepEqual(find(file, text), [])
  }
})

test('prose has British spelling', () => {
  const found = files.flatMap((file) => find(file, readFileSync(`${cwd}${file}`, 'utf8')))
  assert.deepEqual(
    found.filter((place) => !allowed.includes(place.replace(/:\d+ /, ' '))),
    [],
  )
  const places = new Set(found.map((place) => place.replace(/:\d+ /, ' ')))
  assert.deepEqual(
    allowed.filter((place) => !places.has(place)),
    [],
    'no longer needed',
  )
})
