import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import type { Edit } from './edit.ts'

const databaseGolden = 'packages/api/test/contract/golden.test.ts'
const otherGolden = [
  'tools/rules/migrations.test.ts',
  'packages/contract/test/golden.test.ts',
  'tools/reference/reference.test.ts',
]

/** What npm run golden writes from the migrations alone. */
const writtenFromMigrations = [
  'packages/api/migrations/SHA256SUMS',
  'packages/api/schema.sql',
  'packages/api/src/storage/schema/tables.ts',
]

export const isMigration = ({ file }: Edit) => file.endsWith('.sql')

/** A work tree in which the steps by hand of a list are made, and then omitted one at a time. */
export class ScratchCopy {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  make(edits: readonly Edit[]): void {
    for (const { file, inserts } of edits) {
      const path = join(this.#folder, file)
      mkdirSync(dirname(path), { recursive: true })
      const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
      writeFileSync(
        path,
        inserts.reduce((before, insert) => inserted(before, insert, file), text),
      )
    }
  }

  /** Keeps the present state, to which `omit` returns. */
  keep(): void {
    this.#git('add', '--all')
  }

  /** Returns to the state that was kept, without one edit. */
  omit(edit: Edit): void {
    const { file, inserts } = edit
    this.#git('checkout', '--quiet', '--', '.')
    this.#git('clean', '--quiet', '--force', '-d')
    // Without its only new migration, npm run golden writes what the commit of the copy has.
    if (isMigration(edit)) this.#git('restore', '--source=HEAD', '--', ...writtenFromMigrations)
    const path = join(this.#folder, file)
    if (inserts.some(([after]) => after === '')) return rmSync(path)
    const text = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      inserts.reduce((before, [after, added]) => before.replace(after + added, () => after), text),
    )
  }

  /** The errors of the compiler in the first project that has any. */
  compile(): string[] {
    const tsc = join('node_modules', '.bin', 'tsc')
    const { status, stdout, stderr } = this.#run(tsc, ['-b', '--stopBuildOnErrors'])
    if (status === 0) return []
    const errors = stdout.split('\n').filter((line) => line.includes('error TS'))
    if (errors.length === 0) throw new Error(`${tsc} has failed. ${stdout} ${stderr}`)
    return errors
  }

  /** Runs test files with the runner of Node, and returns the names of the tests that fail. */
  failures(args: readonly string[], environment: NodeJS.ProcessEnv = {}): string[] {
    const { stdout, stderr } = this.#run(
      process.execPath,
      ['--test', '--test-reporter=tap', ...args],
      environment,
    )
    if (!/^# tests [1-9]/m.test(stdout)) throw new Error(`No test ran. ${stdout} ${stderr}`)
    return Array.from(stdout.matchAll(/^\s*not ok \d+ - (.+)$/gm), ([, name = '']) => name)
  }

  /** As npm run golden. Returns the names of the tests that fail. */
  writeGolden(): string[] {
    const environment = { UPDATE_GOLDEN: '1' }
    return [otherGolden, [databaseGolden]].flatMap((files) => this.failures(files, environment))
  }

  #git(...args: readonly string[]): void {
    execFileSync('git', args, { cwd: this.#folder })
  }

  #run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
    // Otherwise these tests would be reported as a part of the test that runs them. They run in
    // their short form.
    const { NODE_TEST_CONTEXT: _, MUSTER_LONG: __, ...inherited } = process.env
    return spawnSync(program, args, {
      cwd: this.#folder,
      encoding: 'utf8',
      env: { ...inherited, ...environment },
      maxBuffer: 2 ** 28,
    })
  }
}

function inserted(text: string, [after, added]: Edit['inserts'][number], file: string): string {
  if (after === '') return `${added.trimStart()}\n`
  const parts = text.split(after)
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${after}`)
  return parts.join(after + added)
}
