import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { readDocuments } from '#tools/compatibility/released'

const root = new URL('../../', import.meta.url)
const changelog = readFileSync(new URL('CHANGELOG.md', root), 'utf8')

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

const { released, present } = readDocuments(fileURLToPath(root))

/** The paths up to their first parameter, the parameters and the fields of an API. */
function namesOf({ paths, components }: typeof present): Set<string> {
  const { schemas, parameters: shared } = components
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  return new Set([
    ...Object.keys(paths).map((path) => path.replace(/\/\{.*/, '')),
    ...[...operations.flatMap(({ parameters }) => parameters), ...Object.values(shared)].flatMap(
      (parameter) => ('name' in parameter && parameter.in !== 'path' ? [parameter.name] : []),
    ),
    ...Object.values(schemas).flatMap(({ properties = {} }) => Object.keys(properties)),
  ])
}

/** The additions that the first section of a changelog does not name. */
function unnamed(before: typeof present, after: typeof present, text: string): string[] {
  const [, section = ''] = text.split(/^## /m)
  const added = namesOf(after).difference(namesOf(before))
  return [...added].filter((name) => !new RegExp(`[\`\\s]${name}\\b`).test(section))
}

test('the first section of CHANGELOG.md names every path, parameter and field that is new', () => {
  assert.deepEqual(unnamed(released, present, changelog), [])
})

test('an addition that the changelog does not name is found', () => {
  const empty = { paths: {}, components: { schemas: {}, parameters: {}, responses: {} } }
  const found = unnamed(empty, present, '## Old\n\n`GET /v1/risks` has `title`.\n')
  for (const name of ['/v1/risks', 'title']) assert.ok(!found.includes(name), name)
  for (const name of ['/v1/groups', 'cursor', 'owner_user_id'])
    assert.ok(found.includes(name), name)
})
