import assert from 'node:assert/strict'
import { test } from 'node:test'

import { currentVersion, statedVersions } from '#tools/version'

test('every file that states the version states that of package.json', () => {
  const version = currentVersion()
  const stated = [...statedVersions()]
  assert.ok(stated.length > 20, 'all places are checked')
  const advice = 'Set all with: npm run release -- <version> --next'
  assert.deepEqual(
    stated.filter(([, each]) => each !== version),
    [],
    `package.json has ${version}. ${advice}`,
  )
})
