import assert from 'node:assert/strict'

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
