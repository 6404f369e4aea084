import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'

import { measure } from '@muster/testing/measure'

import {
  blocksOf,
  createDatabase,
  freePort,
  paste,
  read,
  run,
  start,
  startDev,
  strictly,
} from './follow.ts'

const commandsOf = (path: string) =>
  blocksOf(read(path))
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text)

const readme = commandsOf('README.md')
const ownDatabase = commandsOf('docs/operate/run-on-your-database.md')

function find(blocks: readonly string[], marker: string): string {
  const block = blocks.find((text) => text.includes(marker))
  assert.ok(block, `no block has ${marker}`)
  return block
}

/**
 * The first link that `npm run dev` prints signs a browser in, through the server of the console,
 * as someone who has projects and a day of work.
 */
async function openLink(output: string, consoleBase: string): Promise<void> {
  const [link = ''] = /http:\/\/localhost:\d+\/sign-in\/\S+/.exec(output) ?? []
  const { port, pathname, hash } = new URL(link)
  assert.equal(port, new URL(consoleBase).port)
  const headers = { 'sec-fetch-site': 'same-origin', 'muster-console': '1' }
  const signedIn = await fetch(`${consoleBase}${pathname}/link`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ token: hash.slice(1) }),
  })
  assert.equal(signedIn.status, 201, await signedIn.text())
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const view = async (path: string) =>
    (await fetch(consoleBase + path, { headers: { ...headers, cookie } })).json()
  // The casts hold because the responses are checked here.
  const { person, roles } = (await view('/v1/whoami')) as {
    person: { name: string }
    roles: string[]
  }
  assert.equal(person.name, 'Åsa Öhman')
  assert.ok(roles.includes('manager') && !roles.includes('admin'), roles.join())
  const { data } = (await view('/v1/personnel/me/assignments')) as { data: { type: string }[] }
  const counts = Map.groupBy(data, ({ type }) => type)
  for (const type of ['project', 'risk', 'issue', 'task']) {
    assert.ok((counts.get(type)?.length ?? 0) >= 2, `she has ${type}s`)
  }
  assert.ok(data.length - (counts.get('project')?.length ?? 0) >= 12, 'she has a day of work')
}

test('npm run dev leads to the first successful curl within a minute', async (t) => {
  const began = performance.now()
  const { output, settings, consoleBase } = await startDev(
    find(readme, 'npm run dev').replace('npm ci\n', ''),
  )

  const pasted = output.slice(output.indexOf('KEY='), output.indexOf('Press Ctrl-C'))
  const first = await run(strictly + pasted)
  assert.equal(first.code, 0, first.stderr)
  assert.equal(JSON.parse(first.stdout).count, 3)
  const seconds = (performance.now() - began) / 1000
  measure(t, 'npm run dev to the first response', { value: seconds, atMost: 60, unit: 's' })

  const consoleUrl = consoleBase.replace('127.0.0.1', 'localhost')
  assert.ok(output.includes(consoleUrl), 'the output contains the URL of the console')
  const page = await fetch(`${consoleBase}/risks`, { headers: { accept: 'text/html' } })
  const [, script = ''] = /src="(\/src\/[^"]+)"/.exec(await page.text()) ?? []
  assert.equal((await fetch(consoleBase + script)).status, 200, 'the console is served from source')
  assert.equal((await fetch(`${consoleBase}/v1/whoami`)).status, 401, 'the console proxies the API')

  await openLink(output, consoleBase)

  const documented = find(readme, 'KEY=muster_key_...').replaceAll(/=\S+/g, '=')
  assert.equal(settings.replaceAll(/=\S+/g, '='), documented, 'the README sets BASE and KEY')
  const calls = find(readme, '"$BASE/').split('\n\n')
  assert.equal(calls.length, 5, 'the README has the five endpoints in one block')
  const printed = await paste(calls, { opening: strictly + settings })
  for (const [index, call] of calls.entries()) assert.ok(printed[index], call)
})

test('the page for an own database leads to a service with a key', async () => {
  const port = await freePort()
  const url = await createDatabase()
  const block = find(ownDatabase, 'npm run migrate').replace(
    'postgres://postgres@127.0.0.1:5432/muster',
    url,
  )
  // A build here would change the console under concurrent tests. `npm run e2e` builds it.
  const unbuilt = block.replace('npm run build\n', '')
  assert.notEqual(unbuilt, block)
  const prepared = await run(strictly + unbuilt.replace('npm start', 'echo "KEY=$KEY"'))
  assert.equal(prepared.code, 0, prepared.stderr)
  const key = /KEY=(muster_key_\S+)/.exec(prepared.stdout)?.[1] ?? ''
  const service = { DATABASE_URL: url, PORT: port }
  await start('npm start', { env: service }, /listening/)
  const settings = `BASE=http://127.0.0.1:${port}\nKEY=${key}\n`

  const ready = find(ownDatabase, '/v1/whoami').replaceAll('http://127.0.0.1:8080', '$BASE')
  const [shown = ''] = await paste([ready], { opening: strictly + settings })
  assert.match(shown, /"status":"ready"/)
  assert.match(shown, /"name":"Acme"/)
  const keys = await run(strictly + find(ownDatabase, 'key create'), { env: service })
  assert.equal(keys.code, 0, keys.stderr)
  assert.match(keys.stdout, /^muster_key_\w+\n/)
  assert.match(keys.stdout, /Payroll sync/)
  const seeded = await run(strictly + find(ownDatabase, 'npm run seed'), { env: service })
  assert.equal(seeded.code, 0, seeded.stderr)
})

test('the scripts in the README and in the documentation exist', () => {
  const { scripts } = JSON.parse(read('package.json'))
  for (const path of ['README.md', ...globSync('docs/**/*.md')]) {
    for (const [, name = ''] of read(path).matchAll(/npm run (?:-s )?(\w+)/g)) {
      assert.ok(name in scripts, `${path} names npm run ${name}`)
    }
  }
})
