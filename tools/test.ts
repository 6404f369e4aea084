import { spawn } from 'node:child_process'
import { globSync, mkdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { findPostgres } from './postgres.ts'

/**
 * Runs the tests, the benches or the soaks against a real PostgreSQL. Names can be given, so that
 * one can be run: `npm test -- packages/api/test/door.test.ts`, `npm run soak -- kills --minutes 9`.
 */
const { values, positionals: chosen } = parseArgs({
  options: {
    e2e: { type: 'boolean', default: false },
    bench: { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    previous: { type: 'string' },
  },
  allowPositionals: true,
})

const atOnce = (count: number) => ['--test', `--test-concurrency=${count}`]

/** What is run, one after the other, as arguments of Node. */
function runs(): string[][] {
  if (values.bench) {
    const benches = ['bench/neighbours.ts', 'bench/rollups.ts', 'bench/overload.ts']
    return (chosen.length > 0 ? chosen : benches).map((file) => [file])
  }
  if (values.soak) return soakRuns()
  if (chosen.length > 0) return [[...atOnce(2), ...chosen]]
  if (values.e2e) return testRuns(2, ['e2e/*.test.ts'])
  return testRuns(3, ['packages/*/{src,test}/**/*.test.ts', 'tools/**/*.test.ts'])
}

function soakRuns(): string[][] {
  const folder = 'packages/api/test/soak/'
  const all = globSync(`${folder}*.soak.ts`).map((file) => basename(file, '.soak.ts'))
  const unknown = chosen.filter((name) => !all.includes(name))
  if (unknown.length > 0) {
    console.error(`There is no soak ${unknown.join(', ')}. There are ${all.toSorted().join(', ')}.`)
    process.exitCode = 2
    return []
  }
  const names = chosen.length > 0 ? chosen : all.toSorted()
  return [[...atOnce(1), ...names.map((name) => `${folder}${name}.soak.ts`)]]
}

/** Tests that measure what the machine can do have it to themselves. */
function testRuns(count: number, patterns: string[]): string[][] {
  const files = globSync(patterns)
  const isAlone = (file: string) => file.endsWith('.alone.test.ts')
  const others = files.filter((file) => !isAlone(file))
  return [
    [...atOnce(count), ...others.toSorted()],
    [...atOnce(1), ...files.filter(isAlone)],
  ]
}

// The browser looks at the console as it is built.
if (values.e2e) await (await import('@muster/console')).buildConsole()

const build = fileURLToPath(new URL('../.build/', import.meta.url))

await using postgres = await findPostgres()
console.log(`Testing on ${postgres.origin}.`)

const env = {
  // Hundreds of processes read the same files: each is compiled once.
  NODE_COMPILE_CACHE: `${build}compile-cache`,
  ...process.env,
  DATABASE_URL: postgres.url,
  ...(values.minutes && { SOAK_MINUTES: values.minutes }),
  ...(values.seed && { SOAK_SEED: values.seed }),
  ...(values.previous && { SOAK_PREVIOUS: values.previous }),
}

function run(args: string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env })
  return new Promise((resolve) => child.on('close', (status) => resolve(status ?? 1)))
}

/**
 * A browser on a machine that others use too can lose a moment that is not ours. What failed is run
 * once more, with nothing beside it; what is ours fails again.
 */
async function runPages(args: string[]): Promise<number> {
  mkdirSync(build, { recursive: true })
  const list = `${build}failed-files.txt`
  const spec = ['--test-reporter=spec', '--test-reporter-destination=stdout']
  const failed = ['--test-reporter=./tools/failed-files.ts', `--test-reporter-destination=${list}`]
  const [test = '', ...rest] = args
  const code = await run([test, ...spec, ...failed, ...rest])
  const files = [...new Set(readFileSync(list, 'utf8').split('\n'))].filter((file) => file !== '')
  if (code === 0 || files.length === 0) return code
  console.log(`\nOnce more, one by one: ${files.join(', ')}`)
  return run([...atOnce(1), ...files])
}

process.exitCode = 0
for (const args of runs()) {
  const code = await (values.e2e ? runPages(args) : run(args))
  if (code !== 0) process.exitCode = code
}
