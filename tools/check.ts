import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

/** `npm run check`: runs all static checks in parallel and prints every failure. */
const { values } = parseArgs({ options: { fix: { type: 'boolean', default: false } } })

const checks: Record<string, string[]> = values.fix
  ? { oxlint: ['oxlint', '--fix'], oxfmt: ['oxfmt'] }
  : {
      types: ['tsc', '-b'],
      lint: ['oxlint', '--deny-warnings'],
      format: ['oxfmt', '--check'],
      'dead code': ['knip'],
      migrations: ['squawk', 'packages/api/migrations/*.sql'],
      openapi: ['redocly', 'lint', 'packages/contract/openapi.json', '--max-problems=1000'],
      house: ['node', '--test', 'packages/contract/test/*.test.ts', 'tools/*/*.test.ts'],
    }

interface Outcome {
  readonly name: string
  readonly isGood: boolean
  readonly output: string
  readonly seconds: string
}

function run(name: string, [command = '', ...args]: string[]): Promise<Outcome> {
  const began = performance.now()
  return new Promise((resolve) => {
    const child = spawn(`${command} ${args.join(' ')}`, {
      shell: true,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', FORCE_COLOR: '0' },
    })
    let output = ''
    child.stdout.on('data', (data: Buffer) => (output += data.toString()))
    child.stderr.on('data', (data: Buffer) => (output += data.toString()))
    child.on('close', (code) => {
      const isWarned = /\bwarnings?\b/.test(output) && name === 'openapi'
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      resolve({ name, isGood: code === 0 && !isWarned, output, seconds })
    })
  })
}

const outcomes = await Promise.all(
  Object.entries(checks).map(async ([name, command]) => {
    const outcome = await run(name, command)
    console.log(`${outcome.isGood ? '✔' : '✖'} ${name} (${outcome.seconds} s)`)
    if (!outcome.isGood) console.log(outcome.output)
    return outcome
  }),
)
process.exitCode = outcomes.every(({ isGood }) => isGood) ? 0 : 1
