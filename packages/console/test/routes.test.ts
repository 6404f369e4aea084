import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

const routes = read('packages/console/src/routes.tsx')
const paths = Array.from(routes.matchAll(/ path: '([^']+)'/g), ([, path = '']) => path)
/** The first segments of the paths, without those that are parameters. */
const areas = new Set(paths.flatMap((path) => /^\/([a-z-]+)/.exec(path)?.[1] ?? []))

test('the service sends the console to the addresses of every route', () => {
  const source = read('packages/api/src/http/site/console.ts')
  const [, list = ''] = /const segments = \[([^\]]+)\]/.exec(source) ?? []
  const segments = Array.from(list.matchAll(/'([^']+)'/g), ([, segment]) => segment)
  assert.deepEqual(areas, new Set(segments))
})

test('every route has an address in every-page.test.ts', () => {
  const source = read('e2e/every-page.test.ts')
  const missing = paths.filter((path) => path !== '$' && !source.includes(`'${path}':`))
  assert.deepEqual(missing, [])
})

/** Areas that a test reaches without their address, and how. */
const reached: Readonly<Record<string, string>> = {
  settings: 'it only leads to the workspace',
}

test('every area has a browser test beside that of every page', () => {
  const others = globSync('e2e/*.test.ts', { cwd: root }).filter((file) => !file.includes('every-'))
  const sources = others.map(read).join()
  const missing = [...areas].filter((area) => !new RegExp(`/${area}\\b`).test(sources))
  assert.deepEqual(missing.toSorted(), Object.keys(reached))
})
