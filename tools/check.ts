import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** `npm run check`: runs all static checks in parallel and prints every failure. */
const { values } = parseArgs({ options: { fix: { type: 'boolean', default: false } } })

interface Check {
  readonly command: string
  /** What its result depends on, besides the installed packages. It runs when one has changed. */
  readonly inputs?: readonly string[]
}

const source = ['*.ts', '*.tsx', '*.cjs', '*.mjs', '*.json', '*.css', '*.html']
const tests = `packages/contract/test/*.test.ts 'tools/*/!(gate).test.ts'`

const checks: Record<string, Check> = values.fix
  ? { oxlint: { command: 'oxlint --fix' }, oxfmt: { command: 'oxfmt' } }
  : {
      lint: { command: 'oxlint --deny-warnings', inputs: source },
      types: { command: 'tsc -b' },
      // They share no state, and one process loads the contract once for all of them.
      rules: { command: `node --test --test-isolation=none ${tests}` },
      // It starts `npm test` several times and waits.
      runner: { command: 'node --test tools/rules/gate.test.ts' },
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

/** The contents of the inputs of a check, of the installed packages and of its command. */
function stateOf({ command, inputs = [] }: Check): string {
  const paths = ['ls-files', '-coz', '--exclude-standard', 'package-lock.json', '.oxlintrc.json']
  const listed = execFileSync('git', [...paths, ...inputs], { encoding: 'utf8' })
  const hash = createHash('sha256').update(command)
  for (const path of listed.split('\0').filter((each) => existsSync(each))) {
    hash.update(`\0${path}\0`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

/** Runs a check, unless it passed before on the same inputs. */
async function runIfChanged(name: string, check: Check): Promise<boolean> {
  const passed = `.build/checked/${name.replace(' ', '-')}`
  const state = check.inputs ? stateOf(check) : null
  if (state !== null && existsSync(passed) && readFileSync(passed, 'utf8') === state) {
    console.log(`✔ ${name} (unchanged)`)
    return true
  }
  const { isGood, seconds, output } = await run(name, check.command)
  console.log(`${isGood ? '✔' : '✖'} ${name} (${seconds} s)`)
  if (!isGood) console.log(output)
  mkdirSync('.build/checked', { recursive: true })
  if (isGood && state !== null) writeFileSync(passed, state)
  return isGood
}

const results = await Promise.all(
  Object.entries(checks).map(([name, check]) => runIfChanged(name, check)),
)
process.exitCode = results.every(Boolean) ? 0 : 1
