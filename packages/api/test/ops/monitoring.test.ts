import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { parse, stringify } from 'yaml'

import { startProcess } from '#test/support/process'
import { metricsOf } from '#test/support/watch'
import { startHost } from '#test/support/workspace'

import { isPrinted, selectorsOf } from './promql.ts'

const root = new URL('../../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook_url: string }
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly Alert[] }[]
}

interface RuleTests {
  readonly tests: readonly {
    readonly alert_rule_test: readonly {
      readonly alertname: string
      readonly exp_alerts?: readonly unknown[]
    }[]
  }[]
}

interface Panel {
  readonly title: string
  readonly targets: readonly { readonly expr: string }[]
}

// The casts hold because promtool and Grafana define these formats.
const { groups } = parse(read('deploy/prometheus/alerts.yml')) as Rules
const alerts = groups.flatMap(({ rules }) => rules)
const names = alerts.map(({ alert }) => alert)
const ruleTests = (parse(read('deploy/prometheus/alerts.test.yml')) as RuleTests).tests.flatMap(
  (each) => each.alert_rule_test,
)
const { panels } = JSON.parse(read('deploy/grafana/dashboard.json')) as { panels: Panel[] }
const charts = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })))
const runbook = read('docs/operate/runbook.md')

const host = await startHost()

/** The series of a service that has refused a request without a key. */
async function printedSeries(): Promise<string[]> {
  const { base } = await startProcess(host.url)
  await fetch(new URL('/v1/risks', base))
  for (let tries = 0; tries < 500; tries++) {
    const series = Object.keys(await metricsOf(base))
    const isRead = (name: string) => series.some((each) => each.startsWith(name))
    if (isRead('muster_table_bytes') && isRead('muster_jobs_oldest_seconds')) return series
    await sleep(20)
  }
  return assert.fail('no sizes of tables, or no jobs')
}

test('a running service prints every metric of the alerts and of the dashboard', async () => {
  const series = await printedSeries()
  const expressions = [...alerts.map(({ alert, expr }) => ({ title: alert, expr })), ...charts]
  const used = expressions.flatMap(({ title, expr }) => {
    const selectors = selectorsOf(expr)
    assert.ok(selectors.length > 0, `${title} has no metric`)
    return selectors.map((selector) => ({ title, selector }))
  })
  const missing = used.filter(({ selector }) => !isPrinted(selector, series))
  assert.deepEqual(missing, [])

  const wrong = ['muster_unknown', 'muster_ready{state="x"}', 'rate(muster_sweeps_total[5m]) > 1']
  for (const expression of wrong) {
    const [selector] = selectorsOf(expression)
    assert.ok(selector && !isPrinted(selector, series), expression)
  }
})

test('the dashboard shows every metric of the service itself', async () => {
  const shown = new Set(charts.flatMap(({ expr }) => selectorsOf(expr)).map((each) => each.metric))
  const nameOf = (each: string) => each.replace(/\{.*/, '').replace(/_(sum|bucket)$/, '_count')
  const own = (await printedSeries()).map(nameOf).filter((each) => each.startsWith('muster_'))
  const missing = [...new Set(own)].filter((each) => !shown.has(each))
  assert.deepEqual(missing, [])
})

test('every alert has a severity, a summary and an entry of the runbook, and no entry is left', () => {
  assert.equal(new Set(names).size, names.length)
  for (const { alert, labels, annotations } of alerts) {
    assert.match(labels.severity, /^(critical|warning)$/, alert)
    assert.match(annotations.summary, /\.$/, alert)
    const url = `https://muster.example.com/docs/operate/runbook#${alert.toLowerCase()}`
    assert.equal(annotations.runbook_url, url)
  }
  const entries = Array.from(runbook.matchAll(/^## (Muster\w+)$/gm), ([, entry = '']) => entry)
  assert.deepEqual(entries.toSorted(), names.toSorted())
  for (const entry of runbook.split(/^## (?=Muster)/m).slice(1)) {
    const parts = Array.from(entry.matchAll(/^\*\*(.+?)\.\*\*/gm), ([, part = '']) => part)
    assert.deepEqual(parts, ['Meaning', 'Look at', 'Do'], entry)
  }
})

test('PostgreSQL executes every query of the runbook', async () => {
  const queries = Array.from(runbook.matchAll(/^```sql\n([^`]+)```$/gm), ([, sql = '']) => sql)
  assert.ok(queries.length > 1)
  for (const query of queries) await host.sql.query(query)
})

test('a rule test expects each alert to fire once, and not to fire once', () => {
  for (const name of names) {
    const own = ruleTests.filter(({ alertname }) => alertname === name)
    const firing = own.filter(({ exp_alerts: expected = [] }) => expected.length > 0)
    assert.ok(firing.length > 0 && firing.length < own.length, name)
  }
})

const noPromtool =
  spawnSync('promtool', ['--version']).status === 0 ? false : 'promtool is not installed'

/** Runs promtool and returns what it prints. It must succeed. */
function promtool(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  return stdout
}

const pathOf = (name: string) => fileURLToPath(new URL(`deploy/prometheus/${name}`, root))

test('promtool accepts the alerts, and their tests pass', { skip: noPromtool }, () => {
  const checked = promtool('check', 'rules', pathOf('alerts.yml'))
  assert.match(checked, new RegExp(`SUCCESS: ${names.length} rules found`))
  assert.match(promtool('test', 'rules', pathOf('alerts.test.yml')), /SUCCESS/)
})

/** A folder until the test ends. */
function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-monitoring-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('promtool accepts the configuration in the guide', { skip: noPromtool }, (t) => {
  const folder = newFolder(t)
  const [, config = ''] = /^```yaml\n([^`]+)```$/m.exec(read('docs/guides/self-host.md')) ?? []
  assert.match(config, /^ {2}- job_name: muster$/m)
  writeFileSync(join(folder, 'prometheus.yml'), config)
  writeFileSync(join(folder, 'muster-alerts.yml'), read('deploy/prometheus/alerts.yml'))
  const checked = promtool('check', 'config', join(folder, 'prometheus.yml'))
  assert.match(checked, new RegExp(`SUCCESS: ${names.length} rules found`))
})

test('promtool accepts every expression of the dashboard', { skip: noPromtool }, (t) => {
  const folder = newFolder(t)
  const rules = charts.map(({ expr }, index) => ({
    record: `chart:${index}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }))
  const file = join(folder, 'dashboard.yml')
  writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules }] }))
  const checked = promtool('check', 'rules', file)
  assert.match(checked, new RegExp(`SUCCESS: ${charts.length} rules found`))
})
