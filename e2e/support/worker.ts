import { mkdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

import { endFile, endProcess } from './at-end.ts'

/**
 * Runs test files in one process, one after the other: they share the browser, its cache and the
 * compiled code of the service, and each has its own database. Several workers get the same
 * arguments: a folder, and all files. A worker claims a file by creating a folder of its name.
 */
const [claims = '', ...files] = process.argv.slice(2)

function claim(file: string): boolean {
  try {
    mkdirSync(join(claims, basename(file)))
    return true
  } catch {
    return false
  }
}

for (const file of files) {
  if (!claim(file)) continue
  const startedAt = performance.now()
  try {
    await import(pathToFileURL(resolve(file)).href)
  } catch (error) {
    void test(`${file} loads`, () => Promise.reject(error))
  }
  // Tests run in order, so this one is the last of the file.
  await test(`${file} stops what it started`, async (t) => {
    await endFile()
    t.diagnostic(`${file}: ${Math.round((performance.now() - startedAt) / 1000)} s`)
  })
}
await endProcess()
