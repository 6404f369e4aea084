import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { atEnd } from '@muster/testing/at-end'

import { Client } from '#test/support/client'
import { startProcess } from '#test/support/process'
import { startHost } from '#test/support/workspace'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** An installation of the API without a build and without development dependencies. */
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

test('explains what is missing without a build, and answers 404 for /assets/scalar.js', async () => {
  const host = await startHost()
  const { base, log } = await startProcess(host.url, {}, { program: install() })
  const client = new Client(base, null)

  const script = await client.get('/assets/scalar.js')
  assert.equal(`${script.status} ${script.body?.code}`, '404 route_not_found')
  for (const path of ['/docs', '/docs/api']) {
    const docs = await client.get(path)
    assert.equal(docs.status, 404)
    assert.match(docs.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(docs.text, /npm run build/)
    assert.match(docs.text, /href="\/openapi.json"/)
  }
  assert.equal((await client.get('/openapi.json')).status, 200)
  assert.equal((await client.get('/about')).status, 200)
  assert.doesNotMatch(log(), /"level":50/)
})
