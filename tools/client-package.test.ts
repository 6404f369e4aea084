import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'

import { packClient } from './client-package.ts'
import { run, startDev } from './follow.ts'
import { findNode } from './system-node.ts'

const folder = mkdtempSync(join(tmpdir(), 'muster-user-'))
after(() => rmSync(folder, { recursive: true }))
const user = join(folder, 'program')
const tsc = resolve('node_modules/typescript/bin/tsc')

/** Uses what differs between releases of Node: streams, time limits, signals and iteration. */
const program = `
import { createClient, ProblemError } from '@muster/client'

declare const process: { env: Record<string, string | undefined> }
declare const console: { log(...values: unknown[]): void }

const { BASE: base = '', KEY: key = '', NAME: name = '' } = process.env
const muster = createClient({ base, key })

const made = await muster.personnel.create({ body: { name } })
const params = { user_id: made.id }
const changed = await muster.personnel.update(
  { params, body: { title: 'Diver' } },
  { ifMatch: made.version },
)
console.log(changed.title)

try {
  await muster.personnel.update({ params, body: { title: 'Clerk' } }, { ifMatch: made.version })
} catch (error) {
  if (!(error instanceof ProblemError)) throw error
  console.log(error.code)
}

const { count } = await muster.risks.list()
let paged = 0
const query = { limit: 5 }
for await (const risk of muster.risks.list.each({ query })) paged += risk.rank > 0 ? 1 : 0
let streamed = 0
for await (const risk of muster.risks.list.ndjson()) streamed += risk.score > 0 ? 1 : 0
const lines = (await muster.risks.list.csv()).trimEnd().split('\\r\\n')
console.log(count > 10, paged === count, streamed === count, lines.length > count)

const { headers } = await muster.groups.list.raw()
const again = await muster.groups.list.raw({}, { ifNoneMatch: headers.get('etag') ?? '' })
console.log(again.status)

let stored = ''
const store = (position: string) => void (stored = position)
for await (const event of muster.events.follow({ limit: 1, type: ['person.*'], store })) {
  console.log(event.type, event.position === stored)
  break
}

const signal = AbortSignal.abort()
await muster.risks.list({}, { signal }).catch((error: Error) => console.log(error.name))
`

const printed =
  'Diver\nversion_mismatch\ntrue true true true\n304\nperson.created false\nAbortError\n'

let settings: Record<string, string> = {}
before(async () => {
  const service = await startDev()
  settings = Object.fromEntries(
    service.settings
      .trim()
      .split('\n')
      .map((line) => line.split('=') as [string, string]),
  )
  mkdirSync(user)
  writeFileSync(join(user, 'package.json'), '{ "private": true, "type": "module" }\n')
  const archive = resolve(packClient(folder))
  execFileSync('npm', ['install', '--offline', '--no-audit', archive], { cwd: user })
  writeFileSync(join(user, 'program.ts'), program)
})

test('the installed client is one package', () => {
  const folders = readdirSync(join(user, 'node_modules'), { recursive: true, encoding: 'utf8' })
  const packages = folders.filter((path) => path.endsWith('package.json'))
  assert.deepEqual(packages, ['@muster/client/package.json'])
})

test('a program that uses the client compiles without other packages', async () => {
  const flags =
    '--strict --module nodenext --target es2022 --lib es2022,dom,dom.iterable --types ""'
  const compiled = await run(`"${process.execPath}" "${tsc}" ${flags} program.ts`, { cwd: user })
  assert.deepEqual(compiled, { code: 0, stdout: '', stderr: '' })
})

const [present = ''] = process.versions.node.split('.')
const nodes = { 20: findNode(20), 24: findNode(24), [present]: process.execPath }

for (const [major, node] of Object.entries(nodes)) {
  const skip = node === null && 'not fetched: npx node tools/fetch-nodes.ts'
  test(`the program runs on Node ${major}`, { skip }, async () => {
    const env = { ...settings, NAME: `Diver ${major}`, NODE_OPTIONS: '' }
    const { stdout } = await run(`"${node}" --version`)
    assert.match(stdout, new RegExp(`^v${major}\\.`))
    const ended = await run(`"${node}" program.js`, { cwd: user, env })
    assert.deepEqual(ended, { code: 0, stdout: printed, stderr: '' })
  })
}
