import { spawn } from 'node:child_process'
import { globSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { buildDocs } from './docs/build.ts'
import { findPostgres } from './postgres.ts'

/**
 * Runs the tests, the benchmarks or the soak tests against a real PostgreSQL.
 *
 * - `npm test -- risks` runs the test files whose name begins with `risks`.
 * - `npm test -- packages/api/test/nouns/risks.test.ts` runs one file.
 * - `npm test -- --quick` leaves out what takes long: see `isSlow`.
 * - `npm run e2e -- --screenshots` leaves pictures of the pages in `.build/screenshots`; `--compare
 *   FOLDER` also compares them with the pictures in a folder.
 * - `--long` sets MUSTER_LONG=1: more rows, more rounds, more seconds.
 * - `npm run soak -- kills --minutes 9` runs one soak test for nine minutes.
 * - `npm run bench -- compare --base REF --only NAME` passes its options on to the benchmark.
 */
const { values, positionals: chosen } = parseArgs({
  options: {
    e2e: { type: 'boolean', default: false },
    bench: { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
    screenshots: { type: 'boolean', default: false },
    compare: { type: 'string' },
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    previous: { type: 'string' },
    base: { type: 'string' },
    only: { type: 'string' },
    peers: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    plain: { type: 'string' },
    distributed: { type: 'string' },
  },
  allowPositionals: true,
})

/** Arguments of Node, for one run after the other. */
type Runs = string[][]

const benchSuite = 'bench/{compare,neighbours,rollups,overload}.ts'
const longBenchSuite = 'bench/{growth,mix,open-loop,review-bytes,storage}.ts'
/** It needs two databases that the caller prepares, so it runs only when it is named. */
const namedBenchSuite = 'bench/distributed.ts'

function runs(): Runs {
  if (values.bench) return benchRuns()
  if (values.soak) {
    const atOnce = `--test-concurrency=${values.long ? 1 : 2}`
    return [['--test', atOnce, ...filesOf(['packages/api/test/soak/*.soak.ts'])]]
  }
  if (values.e2e) {
    const count = Math.min(4, availableParallelism())
    const tests = testRuns(count, withoutLong(filesOf(['e2e/*.test.ts'])))
    return values.compare ? [...tests, ['e2e/support/compare.ts', values.compare]] : tests
  }
  const all = filesOf(['packages/*/{src,test}/**/*.test.ts', '{bench,tools}/**/*.test.ts'])
  const files = chosen.length > 0 ? all : all.filter((file) => !isChecked(file))
  const some = withoutLong(values.quick ? files.filter((file) => !isSlow(file)) : files)
  return testRuns(3, some)
}

/** Journeys whose steps other files test, and what changes rarely: when named, or with --long. */
const isLong = (file: string) =>
  /^e2e\/(daily|docs-search|jobs|lists|pictures)\.test\.ts$/.test(file) ||
  file === 'tools/client-package.test.ts'

/** `npm run check` runs these. */
const isChecked = (file: string) =>
  /^(packages\/contract\/test|tools\/(compatibility|docs|reference|rules))\//.test(file)

function withoutLong(files: string[]): string[] {
  if (values.long || chosen.length > 0) return files
  const left = files.filter(isLong)
  if (left.length > 0) console.log(`Only with --long: ${left.join(', ')}.`)
  return files.filter((file) => !isLong(file))
}

/** The benchmarks of the gate; the long ones too with `--long`; or the chosen ones. */
function benchRuns(): Runs {
  const suite = [benchSuite]
  if (values.long || chosen.length > 0) suite.push(longBenchSuite)
  if (chosen.length > 0) suite.push(namedBenchSuite)
  const { peers, write } = values
  const passed = (['base', 'only', 'plain', 'distributed'] as const).flatMap((name) =>
    values[name] === undefined ? [] : [`--${name}`, values[name]],
  )
  if (peers) passed.push('--peers')
  if (write) passed.push('--write')
  return filesOf(suite).map((file) => [file, ...passed])
}

/** The files of a suite, or the chosen ones: by path, or by the beginning of the file name. */
function filesOf(suite: string[]): string[] {
  const all = globSync(suite).toSorted()
  if (chosen.length === 0) return all
  const found = chosen.map((name) =>
    name.includes('/') ? [name] : all.filter((file) => basename(file).startsWith(name)),
  )
  const unknown = chosen.filter((_, index) => found[index]?.length === 0)
  if (unknown.length === 0) return [...new Set(found.flat())]
  console.error(`No file of ${suite.join(', ')} begins with ${unknown.join(', ')}.`)
  process.exitCode = 2
  return []
}

/** What `--quick` leaves out: random histories, races, full tables, measurements, containers. */
const isSlow = (file: string) =>
  /\/test\/(model|large|soak)\//.test(file) ||
  /(\.alone|races|image|self-host|release)\.test\.ts$/.test(file)

/** Tests that measure run one at a time, after the others. */
function testRuns(count: number, files: readonly string[]): Runs {
  const isAlone = (file: string) => file.endsWith('.alone.test.ts')
  const parts: [number, string[]][] = [
    [count, files.filter((file) => !isAlone(file))],
    [1, files.filter(isAlone)],
  ]
  return parts.flatMap(([each, part]) =>
    part.length > 0 ? [['tools/run-files.ts', String(each), ...part]] : [],
  )
}

const build = fileURLToPath(new URL('../.build/', import.meta.url))

await using postgres = await findPostgres()
console.log(`Testing on ${postgres.origin}.`)

const env = {
  // Hundreds of processes read the same files: each is compiled once.
  NODE_COMPILE_CACHE: `${build}compile-cache`,
  ...process.env,
  DATABASE_URL: postgres.url,
  ...(values.long && { MUSTER_LONG: '1' }),
  ...((values.screenshots || values.compare) && { MUSTER_SCREENSHOTS: '1' }),
  ...(values.minutes && { SOAK_MINUTES: values.minutes }),
  ...(values.seed && { SOAK_SEED: values.seed }),
  ...(values.previous && { SOAK_PREVIOUS: values.previous }),
}

function run(args: string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env })
  return new Promise((resolve) => child.on('close', (status) => resolve(status ?? 1)))
}

const planned = runs()
// The service serves the documentation and the console as they are built.
if (planned.length > 0) await buildDocs()
if (values.e2e) {
  await (await import('@muster/console')).buildConsole()
  // Pictures of an earlier run.
  rmSync(`${build}screenshots`, { recursive: true, force: true })
}
for (const args of planned) {
  const code = await run(args)
  if (code !== 0) process.exitCode = code
}
