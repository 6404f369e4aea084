import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

import { events, operations, problems } from '@muster/contract'

const root = new URL('../../', import.meta.url)
const skipped = new Set(['node_modules', '.git', '.build', '.dev', 'public'])

/** Every file of the project, as a path from its root. */
function files(folder = ''): string[] {
  return readdirSync(new URL(folder || '.', root), { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return []
    const path = `${folder}${entry.name}`
    return entry.isDirectory() ? files(`${path}/`) : [path]
  })
}

const all = files()
const text = (path: string) => readFileSync(new URL(path, root), 'utf8')
const source = all.filter(
  (path) => /\.tsx?$/.test(path) && !path.endsWith('storage/schema/tables.ts'),
)
const own = source.filter((path) => path !== 'tools/rules/tidy.test.ts')
const markdown = all.filter((path) => path.endsWith('.md'))

interface Ban {
  readonly word: RegExp
  readonly instead: string
  readonly in?: RegExp
  readonly except?: RegExp
}

/** Banned patterns, and what to use instead. */
const bans: Ban[] = [
  { word: /\b(TODO|FIXME|XXX|HACK)\b/, instead: 'an issue, or the change itself' },
  { word: /\bdebugger\b/, instead: 'no debugger' },
  {
    word: /process\.env/,
    instead: 'config.ts',
    in: /^packages\/api\/src\//,
    except: /config\.ts$/,
  },
  {
    word: /new (Pool|Client)\(/,
    instead: 'storage/connection/pool.ts',
    in: /^packages\/api\/src\//,
    except: /pool\.ts$/,
  },
  {
    word: /\bsql\.(raw|lit|id)\b/,
    instead: 'parameters',
    in: /^packages\/api\/src\//,
    except: /(migrate|jobs-schema)\.ts$/,
  },
  { word: /selectAll\(|select \*/, instead: 'name the columns', in: /^packages\/api\/src\// },
  {
    word: /\b(declare cursor|listen |notify )/i,
    instead: 'chunks; the one poller',
    in: /storage\//,
  },
  {
    word: /clock_timestamp|(?<!Math\.)random\(\)/,
    instead: 'now(), or a parameter',
    in: /storage\//,
  },
  {
    word: /(^|[^.\w])set (session|role|statement_timeout)/i,
    instead: 'start-up options',
    in: /^packages\/api\/src\//,
  },
  { word: /dangerouslySetInnerHTML|innerHTML/, instead: 'html`…`' },
  { word: /oxlint-disable/, instead: 'code that needs none', except: /support\/client\.ts$/ },
  { word: /\b(previously|legacy|no longer used)\b/i, instead: 'the commit message' },
  { word: /\.(only|skip)\(/, instead: 'run them all', in: /\.test\.ts$/ },
]

/** The ban that a line of a file breaks. */
const broken = (path: string, line: string) =>
  bans.find(
    ({ word, in: inside = /./, except = /^$/ }) =>
      inside.test(path) && !except.test(path) && word.test(line),
  )

test('no file contains a banned pattern', () => {
  for (const path of own) {
    for (const [index, line] of text(path).split('\n').entries()) {
      const ban = broken(path, line)
      const message = `${path}:${index + 1} has ${ban?.word}. Instead: ${ban?.instead}`
      assert.equal(ban, undefined, message)
    }
  }
})

test('each ban catches an example', () => {
  const wrong = ['// TODO later', 'select * from people', "sql.raw('x')", 'process.env.X']
  for (const line of wrong) assert.ok(broken('packages/api/src/storage/x.ts', line), line)
  assert.equal(broken('packages/api/src/config/config.ts', 'process.env.X'), undefined)
})

test('lines have at most 100 columns, except unbreakable ones', () => {
  const paths = [...own, ...all.filter((path) => path.startsWith('packages/api/migrations/'))]
  for (const path of paths) {
    for (const [index, line] of text(path).split('\n').entries()) {
      const breakable = line.replaceAll(/'[^']*'|"[^"]*"|`[^`]*`?|\/[^/]+\//g, '')
      assert.ok(line.length <= 100 || breakable.length <= 60, `${path}:${index + 1} is too long`)
    }
  }
})

test('every noun of the contract has a file in every layer', () => {
  for (const noun of Object.keys(operations)) {
    const file = noun.replaceAll('_', '-')
    for (const folder of ['contract/src', 'api/src/http', 'api/src/domain', 'api/src/storage']) {
      const isIt = (path: string) =>
        path.startsWith(`packages/${folder}/`) &&
        (path.endsWith(`/${file}.ts`) || path.endsWith(`/${file}/operations.ts`))
      assert.ok(all.some(isIt), `packages/${folder} has no ${file}.ts`)
    }
    const isTest = (path: string) =>
      /^packages\/api\/test\/(nouns|auth|events|time)\//.test(path) &&
      path.endsWith(`/${file}.test.ts`)
    assert.ok(all.some(isTest), `packages/api/test has no ${file}.test.ts`)
  }
})

test('migrations are numbered without gaps', () => {
  const numbers = all
    .filter((path) => /^packages\/api\/migrations\/.+\.sql$/.test(path))
    .map((path) => Number(/\/(\d{4})_\w+\.sql$/.exec(path)?.[1]))
    .toSorted((a, b) => a - b)
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
  )
})

test('the API uses every problem and every event of the contract', () => {
  const api = own
    .filter((path) => path.startsWith('packages/api/src/'))
    .map(text)
    .join('\n')
  for (const name of [...Object.keys(problems), ...Object.keys(events)]) {
    assert.ok(api.includes(`'${name}'`), `the API never uses ${name}`)
  }
})

test('a Markdown file has one title', () => {
  for (const path of markdown) {
    const prose = text(path).replaceAll(/```[\s\S]*?```/g, '')
    const titles = prose.match(/^# .+$/gm) ?? []
    assert.equal(titles.length, 1, `${path} has ${titles.length} titles`)
  }
})

test('every protection in SECURITY.md names an existing test', () => {
  const [, table = ''] = text('SECURITY.md').split('## Threats and protections')
  const rows = table.split('\n').filter((line) => /^\| [A-Z]/.test(line))
  assert.ok(rows.length > 20, `${rows.length} rows`)
  for (const row of rows) {
    const [, threat = '', , shownBy = ''] = row.split('|')
    const named = [...shownBy.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
    assert.ok(named.length > 0, `${threat} names no test`)
    for (const path of named) {
      const isIt = path.includes('/')
        ? all.includes(path)
        : all.some((at) => at.startsWith('packages/api/test/') && at.endsWith(`/${path}`))
      assert.ok(isIt, `${threat} names ${path}, which does not exist`)
    }
  }
})

test('the standard documents exist', () => {
  const names = ['README', 'ARCHITECTURE', 'STYLE', 'CONTRIBUTING', 'SECURITY', 'CHANGELOG']
  const expected = [...names, 'CODE_OF_CONDUCT', 'RELEASING'].map((name) => `${name}.md`)
  for (const path of [...expected, 'LICENSE', '.ci/run']) {
    assert.ok(existsSync(new URL(path, root)), path)
  }
})

test('no file has a vague name', () => {
  const vague = /\b(utils?|helpers?|common|misc|service\.ts|repository)\b/
  for (const path of own) {
    if (path === 'packages/api/src/service.ts') continue
    assert.ok(!vague.test(path), path)
  }
})

test('no two exported types have the same name', () => {
  const declared = /^export (?:abstract class|class|interface|type) (\w+)/gm
  const places = new Map<string, string[]>()
  for (const path of all.filter((each) => /^packages\/\w+\/src\/.+\.tsx?$/.test(each))) {
    for (const [, name = ''] of text(path).matchAll(declared)) {
      places.set(name, [...(places.get(name) ?? []), path])
    }
  }
  assert.ok(places.size > 200, `${places.size} types`)
  const shared = [...places].filter(([, paths]) => paths.length > 1)
  assert.deepEqual(shared, [])
})
