import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { createDatabase, freePort, read, run, start } from './follow.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const lines = read('Containerfile')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const of = (instruction: string) =>
  lines
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1).trim())

/** The last two words but for flags: from where to where. */
const copies = of('COPY').map((line) => {
  const words = line.split(/\s+/)
  const sources = words.filter((word) => !word.startsWith('--')).slice(0, -1)
  return { isBuilt: words[0]?.startsWith('--from') ?? false, sources, to: words.at(-1) ?? '' }
})

/** Arguments as a list: then no shell stands between the signal to end and the service. */
const listOf = (text: string): string[] => JSON.parse(text.slice(text.indexOf('[')))

test('the image is made of files that are there, and runs as nobody, without a shell', () => {
  for (const source of copies.filter(({ isBuilt }) => !isBuilt).flatMap(({ sources }) => sources)) {
    assert.ok(existsSync(join(root, source)), source)
  }
  assert.match(of('USER').join(), /^[1-9]\d+:[1-9]\d+$/)
  assert.ok(listOf(of('ENTRYPOINT').join()).includes('--disable-proto=delete'))
  const isListed = (line: string) => line.includes('[')
  assert.ok([...of('ENTRYPOINT'), ...of('CMD'), ...of('HEALTHCHECK')].every(isListed))
  assert.match(of('HEALTHCHECK').join(), /\/livez/)
})

test('what the image holds is enough to migrate, to start and to be found alive', async () => {
  const app = mkdtempSync(join(tmpdir(), 'muster-image-'))
  after(() => rmSync(app, { recursive: true }))
  await copyProduction(app)
  for (const { isBuilt, sources, to } of copies) {
    if (!isBuilt || to === 'node_modules') continue
    for (const source of sources) copy(join(root, source.replace('/app/', '')), join(app, to))
  }
  const inApp = (list: string[]) => list.map((word) => word.replace('/app/', `${app}/`))
  const [entry, command] = [inApp(listOf(of('ENTRYPOINT').join())), listOf(of('CMD').join())]
  const quoted = (list: string[]) => list.map((word) => `'${word}'`).join(' ')
  const env = { DATABASE_URL: await createDatabase(), PORT: await freePort() }

  const migrated = await run(quoted([...entry, 'packages/api/src/migrate.ts']), { env, cwd: app })
  assert.equal(migrated.code, 0, migrated.stderr)
  await start(quoted([...entry, ...command]), { env, cwd: app }, /listening/)
  const health = quoted(inApp(listOf(of('HEALTHCHECK').join())))
  assert.equal((await run(health, { env, cwd: app })).code, 0)
  assert.equal((await run(health, { env: { PORT: await freePort() }, cwd: app })).code, 1)
})

const copy = (from: string, to: string) =>
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !/\/(public|node_modules)$/.test(path),
  })

/** The packages that an installation for the API alone has, and no others. */
async function copyProduction(app: string): Promise<void> {
  const install = of('RUN').find((line) => line.includes('--omit=dev')) ?? ''
  const { stdout } = await run(install.replace('npm ci', 'npm ls --all --parseable'))
  const installed = stdout.split('\n').filter((path) => path.includes('/node_modules/'))
  assert.ok(installed.length > 40)
  mkdirSync(join(app, 'node_modules/@muster'), { recursive: true })
  mkdirSync(join(app, 'node_modules/.bin'))
  for (const path of installed) {
    const place = join(app, relative(root, path))
    const name = path.split('/').at(-1) ?? ''
    if (path.includes('/@muster/')) symlinkSync(`../../packages/${name}`, place)
    else if (name.startsWith('node-linux-')) {
      // The program is large, and needs nothing beside it.
      symlinkSync(path, place)
      symlinkSync(`../${name}/bin/node`, join(app, 'node_modules/.bin/node'))
    } else cpSync(path, place, { recursive: true, verbatimSymlinks: true })
  }
}
