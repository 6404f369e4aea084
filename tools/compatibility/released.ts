import { readFileSync, writeFileSync } from 'node:fs'

import type { Document } from './breaking-changes.ts'

const documentPath = 'packages/contract/openapi.json'
const releasedPath = 'packages/contract/released.json'
const intendedPath = 'packages/contract/breaking-changes.json'

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const prose = new Set(['description', 'summary', 'title', 'tags', 'example', 'x-disabled'])

/** Examples that are references name the problems of a response. All others are prose. */
const isProse = (name: string, value: unknown) =>
  prose.has(name) || (name === 'examples' && !/^\{"\w+":\{"\$ref"/.test(JSON.stringify(value)))

function withoutProse(value: unknown, isFields = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutProse(each))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name, each]) => isFields || !isProse(name, each))
  return Object.fromEntries(
    kept.map(([name, each]) => [name, withoutProse(each, name === 'properties')]),
  )
}

/** JSON with one line for each path and each component, so that a diff is readable. */
function inLines(value: Json, depth: number): string {
  const lines = Object.entries(value).map(([name, each]) => {
    const text = depth > 1 && isObject(each) ? inLines(each, depth - 1) : JSON.stringify(each)
    return `${JSON.stringify(name)}: ${text}`
  })
  return `{\n${lines.join(',\n')}\n}`
}

const readJson = (path: string, root: string): unknown =>
  JSON.parse(readFileSync(`${root}${path}`, 'utf8'))

/**
 * Makes the present document the released one, and empties the list of breaking changes. A release
 * does this: see RELEASING.md.
 */
export function writeReleased(root = './'): void {
  const { paths, components } = readJson(documentPath, root) as {
    paths: Json
    components: Json
  }
  const { schemas, parameters, responses } = components
  const parts = withoutProse({ schemas, parameters, responses }) as Json
  const released = `{\n"paths": ${inLines(withoutProse(paths) as Json, 1)},
"components": ${inLines(parts, 2)}\n}\n`
  writeFileSync(`${root}${releasedPath}`, released)
  writeFileSync(`${root}${intendedPath}`, '{}\n')
}

/** The document of the last release, the present one, and breaking changes with their reasons. */
export const readDocuments = (root: string) => ({
  released: readJson(releasedPath, root) as Document,
  present: readJson(documentPath, root) as Document,
  intended: readJson(intendedPath, root) as Record<string, string>,
})
