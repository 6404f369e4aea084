import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

import { findPostgres } from './postgres.ts'

/**
 * Runs the tests, or the bench, against a real PostgreSQL. Arguments are passed on, so that one
 * file can be run: `npm test -- packages/api/test/door.test.ts`.
 */
const { values, positionals } = parseArgs({
  options: {
    e2e: { type: 'boolean', default: false },
    bench: { type: 'boolean', default: false },
  },
  allowPositionals: true,
  strict: false,
})

const all = values['e2e']
  ? ['e2e/*.test.ts']
  : ['packages/*/src/**/*.test.ts', 'packages/*/test/*.test.ts', 'tools/**/*.test.ts']

await using postgres = await findPostgres()
console.log(`Testing on ${postgres.origin}.`)
const tests = ['--test', '--test-concurrency=2', ...(positionals.length > 0 ? positionals : all)]
const args = values['bench'] ? ['bench/rollups.ts'] : tests
const child = spawn(process.execPath, args, {
  stdio: 'inherit',
  env: { ...process.env, DATABASE_URL: postgres.url },
})
process.exitCode = await new Promise<number>((resolve) => {
  child.on('close', (code) => resolve(code ?? 1))
})
