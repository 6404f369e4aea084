import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { mock, test } from 'node:test'
import { pathToFileURL } from 'node:url'

import { beginFile, endFile, endProcess } from '@muster/testing/at-end'

import { claimOf, needsOwnProcess } from './test-files.ts'

/**
 * Runs test files in one process, one after the other: the service is loaded and compiled once for
 * all of them. Each file has its own databases and services, and ends before the next one begins.
 * Several workers get the same arguments: a folder, and all files. A worker claims a file by
 * creating a folder for it.
 */
const [claims = '', ...files] = process.argv.slice(2)

function claim(file: string): boolean {
  try {
    mkdirSync(claimOf(claims, file))
    return true
  } catch {
    return false
  }
}

async function run(file: string): Promise<void> {
  const [began, before] = [performance.now(), process.cpuUsage()]
  beginFile(resolve(file))
  const loading = import(pathToFileURL(resolve(file)).href)
  await loading.catch(() => {})
  // The tests of a process run in their order, so this one is the last of the file.
  await test(`cleanup after ${join(basename(dirname(file)), basename(file))}`, async () => {
    mock.reset()
    await endFile()
    await loading
  })
  const { user, system } = process.cpuUsage(before)
  const took = { seconds: (performance.now() - began) / 1000, cpuSeconds: (user + system) / 1e6 }
  writeFileSync(join(claimOf(claims, file), 'took.json'), JSON.stringify(took))
}

for (const file of files) {
  if (!claim(file)) continue
  await run(file)
  if (needsOwnProcess(file)) break
}
await endProcess()
