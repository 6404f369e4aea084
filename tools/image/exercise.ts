import assert from 'node:assert/strict'

import { podman } from './podman.ts'

/** The key of this name in what the target `demo` prints. */
export function keyIn(printed: string, name: 'manager' | 'reader'): string {
  const key = new RegExp(`${name} \\(.*?\\)\\s+(muster_key_\\S+)`).exec(printed)?.[1]
  assert.ok(key, printed)
  return key
}

/** Calls the endpoints and pages of a service with the demo data. */
export async function exercise(base: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  for (const path of ['/v1/personnel', '/v1/groups', '/v1/risks', '/v1/issues']) {
    const response = await fetch(base + path, { headers })
    assert.equal(response.status, 200, path)
    const { data } = (await response.json()) as { data: unknown[] }
    assert.ok(data.length > 0, path)
  }
  const body = JSON.stringify({ name: 'Ada' })
  const added = await fetch(`${base}/v1/personnel`, { method: 'POST', headers, body })
  assert.equal(added.status, 201)
  for (const path of ['/', '/docs', '/about']) {
    const page = await fetch(base + path)
    assert.equal(page.status, 200, path)
    assert.match(await page.text(), /<html/, path)
  }
}

/** The container has no capability and no right to write, except in /tmp. */
export async function checkRestrictions(name: string): Promise<void> {
  const script = `
    const canWrite = (path) => {
      try { fs.writeFileSync(path, ''); return true } catch { return false }
    }
    const status = fs.readFileSync('/proc/1/status', 'utf8')
    console.log(JSON.stringify({
      user: process.getuid(),
      capabilities: Number('0x' + /CapBnd:\\s*(\\w+)/.exec(status)[1]),
      root: canWrite('/app/file'),
      tmp: canWrite('/tmp/file'),
    }))`
  const program = '/app/node_modules/.bin/node'
  const found = JSON.parse(await podman('exec', name, program, '-e', script))
  assert.deepEqual(found, { user: 10_001, capabilities: 0, root: false, tmp: true })
}
