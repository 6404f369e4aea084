import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

interface Step {
  readonly name: string
  /** What is run: another command is another step. */
  readonly command: string
  /** Patterns of git for the files that the result depends on, besides the installed packages. */
  readonly inputs: readonly string[]
}

/** The contents of the inputs of a step, of the installed packages and of its command. */
function stateOf({ command, inputs }: Step): string {
  const paths = ['ls-files', '-coz', '--exclude-standard', 'package-lock.json', '.oxlintrc.json']
  const listed = execFileSync('git', [...paths, ...inputs], { encoding: 'utf8' })
  const hash = createHash('sha256').update(command)
  for (const path of listed.split('\0').filter((each) => existsSync(each))) {
    hash.update(`\0${path}\0`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

/**
 * Runs a step unless it passed before on the same inputs; `rm -r .build/checked` forgets that.
 * `run` returns whether the step passed.
 */
export async function unlessUnchanged(step: Step, run: () => Promise<boolean>) {
  const passed = `.build/checked/${step.name.replaceAll(' ', '-')}`
  const state = stateOf(step)
  if (existsSync(passed) && readFileSync(passed, 'utf8') === state) return 'unchanged'
  if (!(await run())) return 'failed'
  mkdirSync('.build/checked', { recursive: true })
  writeFileSync(passed, state)
  return 'passed'
}
