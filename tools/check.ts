import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

import { unlessUnchanged } from './unchanged.ts'

/** `npm run check`: runs all static checks in parallel and prints every failure. */
const { values } = parseArgs({ options: { fix: { type: 'boolean', default: false } } })

interface Check {
  readonly command: string
  /** What its result depends on, besides the installed packages. It runs when one has changed. */
  readonly inputs?: readonly string[]
}

const source = ['*.ts', '*.tsx', '*.cjs', '*.mjs', '*.json', '*.css', '*.html']
// The tests of a check share no state, and one process loads the contract once for all of them.
const tests = (...files: string[]) => `node --test --test-isolation=none ${files.join(' ')}`

const checks: Record<string, Check> = values.fix
  ? { oxlint: { command: 'oxlint --fix' }, oxfmt: { command: 'oxfmt' } }
  : {
      lint: { command: 'oxlint --deny-warnings', inputs: source },
      types: { command: 'tsc -b' },
      rules: { command: tests(`'tools/{docs,reference,rules}/!(gate).test.ts'`) },
      contract: {
        command: tests(
          `'packages/contract/test/!(patterns).test.ts'`,
          'tools/compatibility/*.test.ts',
        ),
        inputs: ['packages/contract', 'tools/compatibility'],
      },
      // Every regular expression of the sources, those of the contract too.
      patterns: {
        command: tests('packages/contract/test/patterns.test.ts'),
        inputs: ['packages/*/src/*.ts', 'packages/contract'],
      },
      // It starts `npm test` several times and waits.
      runner: {
        command: tests('tools/rules/gate.test.ts'),
        inputs: ['tools/*.ts', 'tools/rules/gate.test.ts', 'packages/testing'],
      },
      format: { command: 'oxfmt --check' },
      'dead code': { command: 'knip', inputs: source },
      migrations: { command: 'squawk packages/api/migrations/*.sql' },
      openapi: {
        command: 'redocly lint packages/contract/openapi.json --max-problems=1000',
        inputs: ['packages/contract/openapi.json'],
      },
    }

interface Outcome {
  readonly isGood: boolean
  readonly output: string
  readonly seconds: string
}

function run(name: string, command: string): Promise<Outcome> {
  const began = performance.now()
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', FORCE_COLOR: '0' },
    })
    let output = ''
    child.stdout.on('data', (data: Buffer) => (output += data.toString()))
    child.stderr.on('data', (data: Buffer) => (output += data.toString()))
    child.on('close', (code) => {
      const isWarned = /\bwarnings?\b/.test(output) && name === 'openapi'
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      resolve({ isGood: code === 0 && !isWarned, output, seconds })
    })
  })
}

/** Runs a check, unless it passed before on the same inputs. */
async function runIfChanged(name: string, { command, inputs }: Check): Promise<boolean> {
  const report = async () => {
    const { isGood, seconds, output } = await run(name, command)
    console.log(`${isGood ? '✔' : '✖'} ${name} (${seconds} s)`)
    if (!isGood) console.log(output)
    return isGood
  }
  if (inputs === undefined) return report()
  const result = await unlessUnchanged({ name, command, inputs }, report)
  if (result === 'unchanged') console.log(`✔ ${name} (unchanged)`)
  return result !== 'failed'
}

const results = await Promise.all(
  Object.entries(checks).map(([name, check]) => runIfChanged(name, check)),
)
process.exitCode = results.every(Boolean) ? 0 : 1
