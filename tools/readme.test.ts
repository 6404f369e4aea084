import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'

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

const readme = read('README.md')
const blocks = blocksOf(readme)
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text)

const at = (marker: string) => {
  const block = blocks.find((text) => text.includes(marker))
  assert.ok(block, `the README has no command with ${marker}`)
  return block
}

test('npm run dev leads to the first answered curl within a minute', async () => {
  const began = performance.now()
  const { output, settings, consoleBase } = await startDev(
    at('npm run dev').replace('npm ci\n', ''),
  )

  const pasted = output.slice(output.indexOf('KEY='), output.indexOf('Ctrl-C'))
  const first = await run(strictly + pasted)
  assert.equal(first.code, 0, first.stderr)
  assert.equal(JSON.parse(first.stdout).count, 3)
  assert.ok(performance.now() - began < 60_000)

  assert.ok(output.includes(consoleBase), 'the console is named')
  const page = await fetch(`${consoleBase}/risks`, { headers: { accept: 'text/html' } })
  const [, script = ''] = /src="(\/src\/[^"]+)"/.exec(await page.text()) ?? []
  assert.equal((await fetch(consoleBase + script)).status, 200, 'it is served from its source')
  assert.equal((await fetch(`${consoleBase}/v1/whoami`)).status, 401, 'and the API beside it')

  const told = at('KEY=muster_key_...').replaceAll(/=\S+/g, '=')
  assert.equal(settings.replaceAll(/=\S+/g, '='), told, 'the README has a reader set BASE and KEY')
  const calls = blocks.filter((block) => block.includes('"$BASE/'))
  assert.ok(calls.length >= 12)
  const printed = await paste(calls, { opening: strictly + settings })
  for (const [index, call] of calls.entries()) assert.ok(printed[index], call)
})

test('a database of your own: migrate, bootstrap, start, keys', async () => {
  const port = await freePort()
  const url = await createDatabase()
  const block = at('npm run migrate').replace('postgres://postgres@127.0.0.1:5432/muster', url)
  // `npm run e2e` builds the console; here it would change under the services of other tests.
  const unbuilt = block.replace('npm run build\n', '')
  assert.notEqual(unbuilt, block)
  const prepared = await run(strictly + unbuilt.replace('npm start', 'echo "KEY=$KEY"'))
  assert.equal(prepared.code, 0, prepared.stderr)
  const key = /KEY=(muster_key_\S+)/.exec(prepared.stdout)?.[1] ?? ''
  await start('npm start', { env: { DATABASE_URL: url, PORT: port } }, /listening/)

  const who = await fetch(`http://127.0.0.1:${port}/v1/whoami`, {
    headers: { authorization: `Bearer ${key}` },
  })
  assert.equal(who.status, 200)
  const keys = await run(strictly + at('key create'), { env: { DATABASE_URL: url } })
  assert.equal(keys.code, 0, keys.stderr)
  assert.match(keys.stdout, /^muster_key_\w+\n/)
  assert.match(keys.stdout, /Payroll sync/)
})

test('the scripts that the README names exist', () => {
  const { scripts } = JSON.parse(read('package.json'))
  for (const [, name = ''] of readme.matchAll(/npm run (?:-s )?(\w+)/g)) {
    assert.ok(name in scripts, name)
  }
})

test('every setting that the service reads is in the table of the README', () => {
  const settings = read('packages/api/src/config.ts').matchAll(/^  ([A-Z_]+): Type/gm)
  const names = Array.from(settings, ([, name = '']) => name)
  assert.ok(names.includes('PORT'))
  for (const name of names) assert.match(readme, new RegExp(`^\\| .*\`${name}\`.* \\|`, 'm'))
})

test('the files that the documents name are there', () => {
  const named = /`((?:http|domain|storage|jobs|story|test|tools|packages|docs)\/[\w./-]+\.\w+)`/g
  for (const path of ['README', 'ARCHITECTURE', 'CONTRIBUTING', 'STYLE', 'SECURITY']) {
    for (const [, file = ''] of read(`${path}.md`).matchAll(named)) {
      const places = ['', 'packages/api/', 'packages/api/src/']
      assert.ok(
        places.some((place) => existsSync(new URL(`../${place}${file}`, import.meta.url))),
        `${path}.md speaks of ${file}`,
      )
    }
  }
})
