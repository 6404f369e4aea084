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
const source = all.filter((path) => path.endsWith('.ts') && !path.endsWith('storage/tables.ts'))
const own = source.filter((path) => path !== 'tools/house/tidy.test.ts')
const markdown = all.filter((path) => path.endsWith('.md'))

interface Ban {
  readonly word: RegExp
  readonly instead: string
  readonly in?: RegExp
  readonly except?: RegExp
}

/** Words that do not go into the source, and what to do instead. */
const bans: Ban[] = [
  { word: /\b(TODO|FIXME|XXX|HACK)\b/, instead: 'do it, or leave it out' },
  { word: /\bdebugger\b/, instead: 'nothing' },
  {
    word: /process\.env/,
    instead: 'config.ts',
    in: /^packages\/api\/src\//,
    except: /config\.ts$/,
  },
  {
    word: /new (Pool|Client)\(/,
    instead: 'storage/pool.ts',
    in: /^packages\/api\/src\//,
    except: /pool\.ts$/,
  },
  {
    word: /\bsql\.(raw|lit|id)\b/,
    instead: 'parameters',
    in: /^packages\/api\/src\//,
    except: /migrate\.ts$/,
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
  { word: /oxlint-disable/, instead: 'code that needs none', except: /test\/client\.ts$/ },
  { word: /\b(previously|legacy|no longer used)\b/i, instead: 'the commit message' },
  { word: /\.(only|skip)\(/, instead: 'run them all', in: /\.test\.ts$/ },
]

/** What a line of a file holds that it should not. */
const broken = (path: string, line: string) =>
  bans.find(
    ({ word, in: inside = /./, except = /^$/ }) =>
      inside.test(path) && !except.test(path) && word.test(line),
  )

test('no file holds a word that we do not use', () => {
  for (const path of own) {
    for (const [index, line] of text(path).split('\n').entries()) {
      const ban = broken(path, line)
      const told = `${path}:${index + 1} has ${ban?.word}. Instead: ${ban?.instead}`
      assert.equal(ban, undefined, told)
    }
  }
})

test('each ban catches what it is meant for', () => {
  const wrong = ['// TODO later', 'select * from people', "sql.raw('x')", 'process.env.X']
  for (const line of wrong) assert.ok(broken('packages/api/src/storage/x.ts', line), line)
  assert.equal(broken('packages/api/src/config.ts', 'process.env.X'), undefined)
})

test('lines are at most 100 columns, but for what cannot be broken', () => {
  const paths = [...own, ...all.filter((path) => path.startsWith('packages/api/migrations/'))]
  for (const path of paths) {
    for (const [index, line] of text(path).split('\n').entries()) {
      const breakable = line.replaceAll(/'[^']*'|"[^"]*"|`[^`]*`?|\/[^/]+\//g, '')
      assert.ok(line.length <= 100 || breakable.length <= 60, `${path}:${index + 1} is too long`)
    }
  }
})

test('every noun of the contract has the same name in every layer', () => {
  for (const noun of Object.keys(operations)) {
    const expected = [
      `packages/contract/src/${noun}.ts`,
      ...['http', 'domain', 'storage'].map((layer) => `packages/api/src/${layer}/${noun}.ts`),
      `packages/api/test/${noun}.test.ts`,
    ]
    for (const path of expected) assert.ok(existsSync(new URL(path, root)), path)
  }
})

test('migrations are numbered without gaps', () => {
  const numbers = all
    .filter((path) => path.startsWith('packages/api/migrations/'))
    .map((path) => Number(/\/(\d{4})_\w+\.sql$/.exec(path)?.[1]))
    .toSorted((a, b) => a - b)
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
  )
})

test('every problem can occur, and every event is told by someone', () => {
  const api = own
    .filter((path) => path.startsWith('packages/api/src/'))
    .map(text)
    .join('\n')
  for (const name of [...Object.keys(problems), ...Object.keys(events)]) {
    assert.ok(api.includes(`'${name}'`), `nothing in the API ever says ${name}`)
  }
})

test('a Markdown file has one title, and its links lead somewhere', () => {
  for (const path of markdown) {
    const prose = text(path).replaceAll(/```[\s\S]*?```/g, '')
    const titles = prose.match(/^# .+$/gm) ?? []
    assert.equal(titles.length, 1, `${path} has ${titles.length} titles`)
    for (const [, target = ''] of prose.matchAll(/\]\(([^)#]+)[^)]*\)/g)) {
      if (/^(https?:|mailto:)/.test(target)) continue
      const folder = path.slice(0, path.lastIndexOf('/') + 1)
      assert.ok(existsSync(new URL(folder + target, root)), `${path} links to ${target}`)
    }
  }
})

test('every protection that SECURITY.md claims names a test that exists', () => {
  const [, table = ''] = text('SECURITY.md').split('## What we protect, and how')
  const rows = table.split('\n').filter((line) => /^\| [A-Z]/.test(line))
  assert.ok(rows.length > 20, `${rows.length} rows`)
  for (const row of rows) {
    const [, threat = '', , shownBy = ''] = row.split('|')
    const named = [...shownBy.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
    assert.ok(named.length > 0, `${threat} names no test`)
    for (const path of named) {
      const place = path.includes('/') ? path : `packages/api/test/${path}`
      assert.ok(all.includes(place), `${threat} names ${path}, which does not exist`)
    }
  }
})

test('the documents that people look for are there', () => {
  const names = ['README', 'ARCHITECTURE', 'STYLE', 'CONTRIBUTING', 'SECURITY', 'CHANGELOG']
  const expected = names.map((name) => `${name}.md`)
  for (const path of [...expected, 'LICENSE', '.ci/run']) {
    assert.ok(existsSync(new URL(path, root)), path)
  }
})

test('no file is named for what it is not', () => {
  const vague = /\b(utils?|helpers?|common|misc|service\.ts|repository)\b/
  for (const path of own) {
    if (path === 'packages/api/src/service.ts') continue
    assert.ok(!vague.test(path), path)
  }
})
