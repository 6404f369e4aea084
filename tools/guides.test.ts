import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

import { blocksOf, paste, read, startDev } from './follow.ts'

const folder = 'docs/guides/'
/** What needs a machine of its own is followed by `self-host.test.ts`. */
const guides = readdirSync(new URL(`../${folder}`, import.meta.url)).filter(
  (name) => name !== 'self-host.md',
)

interface Step {
  readonly commands: string
  /** What the guide shows of what they print; null where it shows nothing. */
  readonly shown: string | null
}

/** Every block of commands, with the answer that stands below it. */
function stepsOf(markdown: string): Step[] {
  const blocks = blocksOf(markdown)
  return blocks.flatMap(({ language, text }, index) => {
    if (language !== 'sh') return []
    const next = blocks[index + 1]
    return [{ commands: text, shown: next && next.language !== 'sh' ? next.text : null }]
  })
}

/** `…` stands for any text, or for the rest of a list; fields that are not shown may be there. */
function isAsShown(answer: unknown, shown: unknown): boolean {
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

/** The last line is the answer that the guide shows: those before it prepare for it. */
function assertShown(printed: string, { commands, shown }: Step): void {
  if (shown === null) return assert.equal(printed, '', `nothing is shown below\n${commands}`)
  const isJson = shown.startsWith('{')
  const answer = isJson ? JSON.parse(printed.trim().split('\n').at(-1) ?? '') : printed
  const isGood = isJson ? isAsShown(answer, JSON.parse(shown)) : printed === shown
  assert.ok(isGood, `${commands}\nprinted\n${printed}\nand not\n${shown}`)
}

for (const name of guides) {
  test(`${name} can be followed from top to bottom, and answers what it shows`, async () => {
    const steps = stepsOf(read(folder + name))
    assert.ok(steps.length > 3)
    const { settings } = await startDev()
    const cwd = mkdtempSync(join(tmpdir(), 'guide-'))
    after(() => rmSync(cwd, { recursive: true }))

    const commands = steps.map((step) => step.commands)
    const printed = await paste(commands, { opening: `set -u\n${settings}`, cwd })

    for (const [index, step] of steps.entries()) assertShown(printed[index] ?? '', step)
  })
}

test('an answer that is not as shown is noticed', () => {
  const answer = { id: 'prj_1', flags: ['a', 'b'], target: { score: 6 } }
  for (const shown of [{ id: 'prj_…' }, { flags: ['a', '…'] }, { target: { score: 6 } }, {}]) {
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
    { score: 6 },
  ]) {
    assert.ok(!isAsShown(answer, shown), JSON.stringify(shown))
  }
  assert.throws(() => assertShown('{"id":1}', { commands: 'call', shown: '{ "id": 2 }' }))
  assert.throws(() => assertShown('{"id":1}', { commands: 'call', shown: null }))
})
