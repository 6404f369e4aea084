import { basename, dirname, join } from 'node:path'
import { mock, test } from 'node:test'
import { pathToFileURL } from 'node:url'

import { beginFile, endFile } from '@muster/testing/at-end'

/**
 * Runs test files one after the other in this process, which loads the service once for all of
 * them. Each file has its own databases and services, and ends before the next one begins.
 */
export async function runFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    beginFile(path)
    const loading = import(pathToFileURL(path).href)
    await loading.catch(() => {})
    // The tests of a process run in their order, so this one is the last of the file.
    await test(`cleanup after ${join(basename(dirname(path)), basename(path))}`, async () => {
      mock.reset()
      await endFile()
      await loading
    })
  }
}
