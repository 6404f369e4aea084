import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = read('docs/performance.md')
const [, goals = ''] = page.split('## Figures')
const rows = Array.from(goals.matchAll(/^\| (.+) \|$/gm), ([, cells = '']) =>
  cells.split(' | '),
).filter(([, goal = '']) => /^[≥≤]/.test(goal))

test('docs/performance.md has the goals of the benchmark', () => {
  const names = read('bench/compare/scenarios.ts').matchAll(/^ {2}scenario\('([^']+)'/gm)
  assert.deepEqual(
    rows.map(([name]) => name),
    Array.from(names, ([, name]) => name),
  )
})

test('docs/performance.md has ratios with their spread, and no absolute figure', () => {
  for (const [name, , ratio = '–', spread = '–'] of rows) {
    const isWhole = ratio === '–' ? spread === '–' : /^[\d.]+ to [\d.]+$/.test(spread)
    assert.ok(isWhole, `${name}: ${ratio}, ${spread}`)
  }
  const absolute = /\d (?:ms|µs|s|MB|MiB)\b|\ba second\b|\bp99 \d|\.svg/g
  assert.deepEqual(page.match(absolute) ?? [], [])
})
