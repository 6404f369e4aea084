import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const runner = fileURLToPath(new URL('../test.ts', import.meta.url))

// A gate that cannot close is none: this once let a failing test through.
for (const [what, body, code] of [
  ['passes', '', 0],
  ['fails', `throw new Error('on purpose')`, 1],
] as const) {
  test(`npm test ${what} when a test ${what}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-gate-'))
    const file = join(folder, 'some.test.mjs')
    writeFileSync(file, `import { test } from 'node:test'; test('some', () => { ${body} })`)
    // Any address will do: no test here asks it for anything.
    const { NODE_TEST_CONTEXT: _, ...rest } = process.env
    const env = { ...rest, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }
    const { status, stdout } = spawnSync(process.execPath, [runner, file], { env })
    rmSync(folder, { recursive: true })
    assert.equal(status, code, stdout.toString())
  })
}
