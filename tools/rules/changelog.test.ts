import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')

/** Lines that are no heading of Keep a Changelog 1.1.0. */
const oddHeadings = (text: string) =>
  (text.match(/^##.*$/gm) ?? []).filter(
    (line) =>
      !/^## \[(Unreleased|\d+\.\d+\.\d+\] - (Unreleased|\d{4}-\d{2}-\d{2}))\]?$/.test(line) &&
      !/^### (Added|Changed|Deprecated|Removed|Fixed|Security)$/.test(line),
  )

test('CHANGELOG.md has the form of Keep a Changelog', () => {
  assert.deepEqual(oddHeadings(changelog), [])
  assert.deepEqual(oddHeadings('## 0.2.0\n### New\n## [0.2.0] - soon\n### Added\n').length, 3)
})

test('at most the first section of CHANGELOG.md with a version has no date', () => {
  const versions = changelog.match(/^## \[\d.*$/gm) ?? []
  assert.ok(versions.length > 1, versions.join())
  for (const heading of versions.slice(1)) assert.match(heading, /\d{4}-\d{2}-\d{2}$/)
})
