import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('../../', import.meta.url))

/** Phrases that STYLE.md replaces by standard terms. One line of text counts once per phrase. */
const banned = [
  /\bwhoever\b/i,
  /\bso (many|much|few|long)\b/i,
  /\btoo much\b/i,
  /\b(becomes?|became) of\b/i,
  /\b(is|are|was|were|be|been|being) told\b/i,
  /\btell(s|ing)?\b/i,
  /\bin the hands? of\b|\bin (whose|their|its|other|our) hands\b/i,
  /\bsaid\b/i,
  /\b(not|nothing is|is|are) heard\b/i,
  /\bdoors?\b/i,
  /\b(an?|one|the|its|their|many|all|every|64) ears?\b/i,
  /\bpulse\b/i,
  /\blanes?\b/i,
  /\bknocks?\b/i,
  /\bvisitors?\b/i,
  /\b(tally|tallies)\b/i,
  /\brehears(al|als|e|ed|ing)\b/i,
  /\bsettled\b/i,
  /\bneeds? care\b/i,
  /\bwhat (they|he|she|someone|it) holds?\b/i,
  /\bwas faster\b/i,
  /\bwish(es|ed)?\b/i,
  /\bnobody\b/i,
  /\bsomebody\b/i,
  /\bfor ever\b/i,
  /\bshall\b/i,
]

/** Lines that keep a phrase because it is a quotation or a term of someone else. */
const allowed: readonly string[] = [
  // The user of the operating system.
  'packages/api/test/soak/disk.soak.ts "nobody"',
  'tools/postgres.ts "nobody"',
]

const self = 'tools/rules/language.test.ts'
const sources = [
  'packages/*/{src,test}/**/*.{ts,tsx,css}',
  '{bench,e2e,tools}/**/*.{ts,tsx}',
  'Containerfile',
  'compose.yaml',
  'docs/**/*.md',
  '*.md',
]
const files = globSync(sources, { cwd }).filter((file) => file !== self)

test('at most 10 banned phrases are left, and each is listed', (t) => {
  const found = files.flatMap((file) =>
    readFileSync(`${cwd}${file}`, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        banned.flatMap((phrase) => {
          const [match] = phrase.exec(line) ?? []
          return match === undefined ? [] : [`${file}:${index + 1} "${match}"`]
        }),
      ),
  )
  const unlisted = found.filter((place) => !allowed.includes(place.replace(/:\d+ /, ' ')))
  t.diagnostic(`${found.length} banned phrases in ${files.length} files`)
  assert.ok(allowed.length <= 10, `${allowed.length} phrases are allowed`)
  assert.deepEqual(unlisted, [])
})
