import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const config = new URL('packages/api/src/config/config.ts', root).href

const example = Array.from(
  read('.env.example').matchAll(/^(?:# )?([A-Z_]+)=(.*)$/gm),
  ([, name = '', value = '']): [string, string] => [name, value],
)

/** The settings that the service reads from this environment. */
function settingsIn(env: Record<string, string>): Record<string, unknown> {
  const code = `import { readConfig } from '${config}'; console.log(JSON.stringify(readConfig()))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], { env })
  return JSON.parse(output.toString()) as Record<string, unknown>
}

test('.env.example has every setting of the service', () => {
  const names = Array.from(read('packages/api/src/config/config.ts').matchAll(/^ {2}([A-Z_]+): /gm))
  assert.ok(names.length > 15, `${names.length} settings`)
  assert.deepEqual(
    example.map(([name]) => name).toSorted(),
    names.map(([, name = '']) => name).toSorted(),
  )
})

test('the values in .env.example are valid, and are the defaults where there are any', () => {
  const all = Object.fromEntries(example)
  const { DATABASE_URL = '' } = all
  assert.equal(Object.keys(settingsIn(all)).length, example.length)
  for (const [name, value] of Object.entries(settingsIn({ DATABASE_URL }))) {
    if (value !== '') assert.equal(String(value), all[name], name)
  }
})
