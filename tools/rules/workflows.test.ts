import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

import { parse } from 'yaml'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, string>>
}

interface Job {
  readonly 'timeout-minutes'?: number
  readonly strategy?: { readonly matrix: { readonly suite: string[] } }
  readonly steps: Step[]
}

interface Workflow {
  readonly permissions?: Record<string, string>
  readonly jobs: Record<string, Job>
}

const paths = globSync(['.github/**/*.yml', '*.{yml,yaml}'], { cwd: root })
const documents = paths.map((path) => [path, parse(read(path)) as unknown] as const)
const workflows = documents.filter(([path]) => path.startsWith('.github/workflows/')) as [
  string,
  Workflow,
][]
const jobs = workflows.flatMap(([, workflow]) => Object.values(workflow.jobs))

/** The commands of a job. A step runs the suite of the matrix, or a command of its own. */
const commandsOf = ({ strategy, steps }: Job): string[] =>
  steps.flatMap(({ run = '' }) =>
    run === '${{ matrix.suite }}' ? (strategy?.matrix.suite ?? []) : run.split('\n'),
  )

/** What is wrong with a command, or null. Only npm commands call code of this repository. */
function mistakeIn(command: string): string | null {
  const [, script = '', options = ''] =
    /^npm (?:-s )?(?:run (?:-s )?)?([\w-]+)(?: -- (.*))?/.exec(command) ?? []
  if (script === '' || script === 'ci') return null
  const source = scripts[script]
  if (source === undefined) return `package.json has no script ${script}`
  const [, file = ''] = /^node (?:-r \S+ )?(\S+)/.exec(source) ?? []
  const unknown = Array.from(options.matchAll(/--([a-z0-9-]+)/g), ([, name = '']) => name).filter(
    (name) => !new RegExp(String.raw`^ +'?${name}'?: \{ type:`, 'm').test(read(file)),
  )
  return unknown.length > 0 ? `${file} has no option ${unknown.join(', ')}` : null
}

test('every command of a workflow exists', () => {
  const commands = jobs.flatMap(commandsOf)
  assert.ok(commands.length > 5, `${commands.length} commands`)
  assert.deepEqual(commands.map(mistakeIn).filter(Boolean), [])
  assert.equal(mistakeIn('npm run chekc'), 'package.json has no script chekc')
  assert.equal(mistakeIn('npm test -- --quik'), 'tools/test.ts has no option quik')
})

const gate = read('.ci/run')

test('the workflow runs every part of the gate, with the programs that the gate installs', () => {
  const commands = new Set(jobs.flatMap(commandsOf))
  const parts = Array.from(gate.matchAll(/^step '(npm [\w ]+)'$/gm), ([, part = '']) => part)
  assert.ok(parts.length > 4, parts.join(', '))
  for (const part of parts.filter((each) => each !== 'npm ci')) {
    assert.ok(commands.has(part), `no job runs ${part}`)
  }
  const needed = Array.from(gate.matchAll(/^need \S+ (\S+)$/gm), ([, name = '']) => name).join(' ')
  assert.ok(read('.devcontainer/devcontainer.json').includes(` ${needed}"`), needed)
  const installed = jobs.flatMap(({ steps }) => steps.flatMap((step) => step.with?.['programs']))
  // The runner has a browser of its own.
  const withoutBrowser = needed.replace('chromium-headless-shell ', '')
  for (const names of installed.filter(Boolean)) assert.equal(names, withoutBrowser)
})

test('actions are pinned by commit, and local ones exist', () => {
  const uses = paths.flatMap((path) => read(path).match(/(?<=\buses: ).+/g) ?? [])
  assert.ok(uses.length > 3, `${uses.length} actions`)
  for (const action of uses) {
    const isLocal = action.startsWith('./')
    if (isLocal) assert.ok(existsSync(new URL(`${action}/action.yml`, root)), action)
    else assert.match(action, /^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  }
})

test('a workflow may only read, and every job has a time limit', () => {
  for (const [path, { permissions }] of workflows) {
    assert.deepEqual(permissions, { contents: 'read' }, path)
  }
  for (const job of jobs) assert.ok((job['timeout-minutes'] ?? Infinity) <= 90)
})

interface Field {
  readonly type: string
  readonly id?: string
  readonly attributes: { readonly label?: string; readonly value?: string }
}

test('an issue form has a name and fields with labels and different ids', () => {
  const forms = documents.filter(([path]) => /ISSUE_TEMPLATE\/(?!config)/.test(path))
  assert.equal(forms.length, 3)
  for (const [path, document] of forms) {
    const { name, description, body } = document as Record<string, unknown> & { body: Field[] }
    assert.ok(name && description, path)
    const fields = body.filter(({ type }) => type !== 'markdown')
    assert.ok(fields.length > 0, path)
    for (const { type, id, attributes } of fields) {
      assert.match(type, /^(input|textarea|dropdown|checkboxes)$/, path)
      assert.ok(id && attributes.label, `${path} ${id}`)
    }
    assert.equal(new Set(fields.map(({ id }) => id)).size, fields.length, path)
  }
})

test('.editorconfig has the settings of the formatter', () => {
  const { printWidth } = JSON.parse(read('.oxfmtrc.json')) as { printWidth: number }
  assert.match(read('.editorconfig'), new RegExp(`^max_line_length = ${printWidth}$`, 'm'))
})
