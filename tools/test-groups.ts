import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const build = fileURLToPath(new URL('../.build/', import.meta.url))
const runFiles = new URL('../packages/api/test/support/run-files.ts', import.meta.url).href

/** To load the service takes two seconds of CPU. More files would leave a long one for the end. */
const filesMax = 6

/** These files keep their own process, for the reason that is given. */
const ownProcess: readonly [RegExp, string][] = [
  [/^tools\/[^/]+\.test\.ts$/, 'they start programs, and stop them when their process ends'],
  [/\/test\/(large|model)\//, 'each takes longer than a group'],
  [/\/import-lines\.test\.ts$/, 'it measures the memory of its process'],
]

/**
 * Writes a module for each process of the tests, and returns their paths. Files of one folder share
 * a process, and run in it one after the other. The runner starts the processes in this order.
 */
export function writeGroups(files: readonly string[]): string[] {
  mkdirSync(build, { recursive: true })
  const folder = mkdtempSync(`${build}tests-`)
  process.on('exit', () => rmSync(folder, { recursive: true }))
  const isOwn = (file: string) => ownProcess.some(([pattern]) => pattern.test(file))
  const shared = files.filter((file) => !isOwn(file))
  const folders = Object.values(Object.groupBy(shared, (file) => dirname(file)))
  const groups = folders.flatMap((part = []) => deal(part, Math.ceil(part.length / filesMax)))
  return [...files.filter(isOwn).map((file) => [file]), ...groups].map((group, index) =>
    writeGroup(group, join(folder, `${String(index).padStart(3, '0')}.ts`)),
  )
}

/** Neighbours in the alphabet are alike, and often take long together. */
const deal = (files: readonly string[], count: number) =>
  Array.from({ length: count }, (_, at) => files.filter((__, index) => index % count === at))

function writeGroup(files: readonly string[], path: string): string {
  const paths = JSON.stringify(files.map((file) => resolve(file)))
  writeFileSync(path, `import { runFiles } from '${runFiles}'\nawait runFiles(${paths})\n`)
  return path
}
