import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { atEnd } from './at-end.ts'
import { Client } from './client.ts'
import { startProcess } from './process.ts'
import { startHost } from './workspace.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** An installation of the API that was not built and has no development dependencies. */
function install(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-not-built-'))
  atEnd(async () => rmSync(folder, { recursive: true }))
  for (const name of ['src', 'migrations', 'package.json']) {
    cpSync(join(root, 'packages/api', name), join(folder, 'packages/api', name), {
      recursive: true,
    })
  }
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => each !== '@scalar')) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return join(folder, 'packages/api/src/main.ts')
}

test('without a build, /docs explains what is missing and /assets/scalar.js is 404', async () => {
  const host = await startHost()
  const { base, log } = await startProcess(host.url, {}, install())
  const client = new Client(base, null)

  const script = await client.get('/assets/scalar.js')
  assert.equal(`${script.status} ${script.body?.code}`, '404 route_not_found')
  const docs = await client.get('/docs')
  assert.equal(docs.status, 404)
  assert.match(docs.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(docs.text, /npm run build/)
  assert.match(docs.text, /href="\/openapi.json"/)
  assert.equal((await client.get('/openapi.json')).status, 200)
  assert.equal((await client.get('/about')).status, 200)
  assert.doesNotMatch(log(), /"level":50/)
})
