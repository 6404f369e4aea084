import assert from 'node:assert/strict'
import { globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { type Block, blocksOf, paste, read, run, startDev } from './follow.ts'

/** Runs the commands of every concept and guide, and of the API page, on one service. */
const root = fileURLToPath(new URL('../', import.meta.url))
/** These pages prepare a database of their own, in other tests. */
const followedElsewhere = new Set([
  // `point-in-time-restore.test.ts`, `self-host.test.ts` and `readme.test.ts`.
  'docs/operate/backup.md',
  'docs/guides/self-host.md',
  'docs/operate/run-on-your-database.md',
  // It needs a NATS server: `bridge.test.ts`.
  'docs/guides/bridge-to-kafka-or-nats.md',
  // The console alone: `e2e/import-example.test.ts`.
  'docs/guides/import-a-spreadsheet.md',
])
const pages = globSync(['docs/api.md', 'docs/{concepts,guides,operate}/*.md'], { cwd: root })
  .filter((path) => !followedElsewhere.has(path))
  .filter((path) => blocksOf(read(path)).some(({ language }) => language === 'sh'))
  .toSorted()

interface Step {
  readonly commands: string
  /** The output on the page; null where it shows none. */
  readonly shown: string | null
}

const outputs = new Set(['json', 'text', 'csv', 'http'])

/** Every block of commands, with the output block below it. */
function stepsOf(blocks: readonly Block[]): Step[] {
  return blocks.flatMap(({ language, text }, index) => {
    if (language !== 'sh') return []
    const next = blocks[index + 1]
    return [{ commands: text, shown: next && outputs.has(next.language) ? next.text : null }]
  })
}

/** Saves each program of a page under the name in its first line: `# risks.py`, `// risks.ts`. */
function savePrograms(blocks: readonly Block[], folder: string): void {
  for (const { language, text } of blocks.filter((block) => /^(python|ts)$/.test(block.language))) {
    const [, name] = /^(?:#|\/\/) (\w+\.\w+)\n/.exec(text) ?? []
    assert.ok(name, `a ${language} block has no file name in its first line\n${text}`)
    writeFileSync(join(folder, name), text)
  }
  // A program imports the client as it does in the root of the project.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
}

/** `…` matches any text, any value or the rest of a list. Other fields are allowed. */
function isAsShown(answer: unknown, shown: unknown): boolean {
  if (shown === '…') return answer !== undefined
  if (typeof shown === 'string') return typeof answer === 'string' && patternOf(shown).test(answer)
  if (Array.isArray(shown)) return Array.isArray(answer) && isListAsShown(answer, shown)
  if (typeof shown !== 'object' || shown === null) return answer === shown
  if (typeof answer !== 'object' || answer === null) return false
  return Object.entries(shown).every(([name, value]) =>
    isAsShown(answer[name as keyof object], value),
  )
}

function isListAsShown(answer: readonly unknown[], shown: readonly unknown[]): boolean {
  const items = shown.filter((item) => item !== '…')
  const isWhole = items.length === shown.length ? answer.length === items.length : true
  return isWhole && items.every((item, index) => isAsShown(answer[index], item))
}

function patternOf(text: string): RegExp {
  const parts = text.split('…').map((part) => RegExp.escape(part))
  return new RegExp(`^${parts.join('[^]*')}$`)
}

/** Compares the last line of the output with the page. Earlier lines are preparation. */
function assertShown(printed: string, { commands, shown }: Step): void {
  if (shown === null)
    return assert.equal(printed, '', `the page shows no output below\n${commands}`)
  const isJson = shown.startsWith('{')
  const answer = isJson ? JSON.parse(printed.trim().split('\n').at(-1) ?? '') : printed
  const isGood = isJson ? isAsShown(answer, JSON.parse(shown)) : patternOf(shown).test(printed)
  assert.ok(isGood, `${commands}\nprinted\n${printed}\ninstead of\n${shown}`)
}

const { settings } = await startDev()
const hasPython = (await run('python3 --version')).code === 0

for (const page of pages) {
  test(`the commands of ${page} print the output that it shows`, async (t) => {
    const blocks = blocksOf(read(page))
    const isRunnable = ({ commands }: Step) => hasPython || !commands.includes('python3')
    const steps = stepsOf(blocks).filter(isRunnable)
    if (!hasPython) t.diagnostic('There is no python3: its programs were not run.')
    const cwd = mkdtempSync(join(tmpdir(), 'guide-'))
    after(() => rmSync(cwd, { recursive: true }))
    savePrograms(blocks, cwd)

    const commands = steps.map((step) => step.commands)
    const printed = await paste(commands, { opening: `set -u\n${settings}`, cwd })

    for (const [index, step] of steps.entries()) assertShown(printed[index] ?? '', step)
  })
}

test('every concept and every guide has commands', () => {
  for (const page of globSync('docs/{concepts,guides}/*.md', { cwd: root })) {
    assert.ok(pages.includes(page) || followedElsewhere.has(page), page)
  }
})

test('output that differs from the page fails', () => {
  const answer = { id: 'prj_1', flags: ['a', 'b'], target: { score: 6 } }
  for (const shown of [
    { id: 'prj_…' },
    { flags: ['a', '…'] },
    { target: { score: 6 } },
    { target: '…' },
    {},
  ]) {
    assert.ok(isAsShown(answer, shown), JSON.stringify(shown))
  }
  for (const shown of [
    { id: 'rsk_…' },
    { flags: ['a'] },
    { flags: ['b', '…'] },
    { flags: ['a', 'b', 'c'] },
    { target: { score: 7 } },
    { target: null },
    { missing: null },
    { missing: '…' },
    { score: 6 },
  ]) {
    assert.ok(!isAsShown(answer, shown), JSON.stringify(shown))
  }
  assert.throws(() => assertShown('{"id":1}', { commands: 'call', shown: '{ "id": 2 }' }))
  assert.throws(() => assertShown('{"id":1}', { commands: 'call', shown: null }))
  assert.throws(() => assertShown('a\n', { commands: 'call', shown: 'b…\n' }))
})
