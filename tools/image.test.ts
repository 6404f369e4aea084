import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { Client } from 'pg'
import { parse } from 'yaml'

import { freePort, read, run, start } from './follow.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const lines = read('Containerfile')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const of = (instruction: string, among = lines) =>
  among
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1).trim())
const stages = of('FROM').map((line) => line.split(' AS ')[1] ?? '')

/** Sources, destination and stage of each COPY. */
const copies = (among = lines) =>
  of('COPY', among).map((line) => {
    const words = line.split(/\s+/)
    const paths = words.filter((word) => !word.startsWith('--'))
    const from = words.find((word) => word.startsWith('--from='))?.replace('--from=', '')
    return { from, sources: paths.slice(0, -1), to: paths.at(-1) ?? '' }
  })

/** Arguments in exec form: without a shell, the service receives the stop signal itself. */
const listOf = (text = ''): string[] => JSON.parse(text.slice(text.indexOf('[')))

test('the image copies existing files, and runs as an unprivileged user without a shell', () => {
  for (const { from, sources } of copies()) {
    assert.ok(from === undefined || stages.includes(from), `no stage ${from}`)
    if (from === undefined)
      for (const each of sources) assert.ok(existsSync(join(root, each)), each)
  }
  assert.equal(stages.at(-1), 'muster', 'the default target')
  assert.match(of('USER').join(), /^[1-9]\d+:[1-9]\d+$/)
  assert.ok([...of('ENTRYPOINT'), ...of('CMD')].every((line) => line.startsWith('[')))
  assert.ok(listOf(of('ENTRYPOINT')[0]).includes('--disable-proto=delete'))
  assert.match(of('HEALTHCHECK')[0] ?? '', /CMD \[.*\/livez/)
})

test('the files of the image are enough to migrate, start and pass the health check', async () => {
  const app = mkdtempSync(join(tmpdir(), 'muster-image-'))
  after(() => rmSync(app, { recursive: true }))
  const begin = lines.findIndex((line) => line.endsWith(' AS service'))
  const service = lines.slice(
    begin,
    lines.findIndex((line) => line.startsWith('FROM service')),
  )
  await copyProduction(app)
  for (const { from, sources, to } of copies(service)) {
    if (from === undefined) for (const each of sources) copyInto(app, each, to)
  }
  const inApp = (list: string[]) => list.map((word) => word.replace('/app/', `${app}/`))
  const quoted = (list: string[]) => list.map((word) => `'${word}'`).join(' ')
  const [entry, command] = [inApp(listOf(of('ENTRYPOINT')[0])), listOf(of('CMD')[0])]
  const { DATABASE_URL, DATABASE_SERVICE_URL } = await createLogins()

  const migrate = quoted([...entry, 'packages/api/src/migrate.ts'])
  const migrated = await run(migrate, { env: { DATABASE_URL }, cwd: app })
  assert.equal(migrated.code, 0, migrated.stderr)
  const env = { DATABASE_SERVICE_URL, PORT: await freePort() }
  await start(
    `unset DATABASE_URL; ${quoted([...entry, ...command])}`,
    { env, cwd: app },
    /listening/,
  )
  const ready = await fetch(`http://127.0.0.1:${env.PORT}/readyz`)
  assert.equal(ready.status, 200, await ready.text())
  const health = quoted(inApp(listOf(of('HEALTHCHECK')[0])))
  assert.equal((await run(health, { env, cwd: app })).code, 0)
  assert.equal((await run(health, { env: { PORT: await freePort() }, cwd: app })).code, 1)
})

/** Creates the logins of compose.yaml, with other names, in a new database. */
async function createLogins() {
  const server = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  const sql = new Client({ connectionString: server })
  await sql.connect()
  const name = `muster_image_${randomBytes(4).toString('hex')}`
  after(async () => {
    await sql.query(`drop database if exists ${name} with (force)`)
    for (const role of ['admin', 'service']) await sql.query(`drop role if exists ${name}_${role}`)
    await sql.end()
  })
  await sql.query(`create database ${name}`)
  const script = read('deploy/compose/roles.sql')
    .replaceAll(/\bmuster_(admin|service)\b/g, `${name}_$1`)
    .replaceAll('database muster ', `database ${name} `)
  const urlOf = (user: string) =>
    Object.assign(new URL(server), { pathname: name, username: user, password: 'secret' }).href
  const env = { ADMIN_PASSWORD: 'secret', SERVICE_PASSWORD: 'secret' }
  // Twice, as at a second start.
  for (const time of ['first', 'second']) {
    const url = Object.assign(new URL(server), { pathname: name }).href
    const { code, stderr } = await run(`psql -qX '${url}' <<'SQL'\n${script}\nSQL`, { env })
    assert.equal(code, 0, `${time}: ${stderr}`)
  }
  const { rows } = await sql.query(
    `select rolname, rolsuper, rolcreaterole, rolbypassrls, pg_has_role(rolname, 'muster_owner',
       'member') as is_owner from pg_roles where rolname like '${name}%' order by 1`,
  )
  const plain = { rolsuper: false, rolcreaterole: false, rolbypassrls: false }
  assert.deepEqual(rows, [
    { rolname: `${name}_admin`, ...plain, is_owner: true },
    { rolname: `${name}_service`, ...plain, is_owner: false },
  ])
  return {
    DATABASE_URL: urlOf(`${name}_admin`),
    DATABASE_SERVICE_URL: urlOf(`${name}_service`),
  }
}

const copyInto = (app: string, source: string, to: string) =>
  cpSync(join(root, source), join(app, to.endsWith('/') ? join(to, source) : to), {
    recursive: true,
    verbatimSymlinks: true,
  })

/** Copies the packages of a production installation of the API, and no others. */
async function copyProduction(app: string): Promise<void> {
  const install = /npm ci (--omit=dev.*?) &&/.exec(of('RUN').join('\n'))?.[1]
  assert.ok(install)
  const { stdout } = await run(`npm ls --all --parseable ${install}`)
  const installed = stdout.split('\n').filter((path) => path.includes('/node_modules/'))
  assert.ok(installed.length > 40)
  mkdirSync(join(app, 'node_modules/@muster'), { recursive: true })
  mkdirSync(join(app, 'node_modules/.bin'))
  for (const path of installed) {
    const place = join(app, relative(root, path))
    const name = path.split('/').at(-1) ?? ''
    if (path.includes('/@muster/')) symlinkSync(`../../packages/${name}`, place)
    else if (name.startsWith('node-linux-')) {
      // A link, because the Node binary is large and has no dependencies.
      symlinkSync(path, place)
      symlinkSync(`../${name}/bin/node`, join(app, 'node_modules/.bin/node'))
    } else cpSync(path, place, { recursive: true, verbatimSymlinks: true })
  }
}

interface ComposeService {
  readonly image?: string
  readonly build?: { readonly dockerfile: string; readonly target: string }
  readonly environment: Record<string, string>
  readonly command?: readonly string[]
  readonly ports?: readonly string[]
  readonly depends_on?: Record<string, { readonly condition: string }>
  readonly restart?: string
  readonly [setting: string]: unknown
}

const { services } = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<string, ComposeService>
}
const ours = Object.entries(services).filter(([, { build }]) => build !== undefined)

test('compose.yaml uses targets, settings and files that exist, and restricts the containers', () => {
  assert.deepEqual(Object.keys(services), ['postgres', 'roles', 'migrate', 'muster', 'demo'])
  const settings = read('packages/api/src/config/config.ts')
  const restrictions = {
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  }
  for (const [name, service] of ours) {
    assert.equal(service.build?.dockerfile, 'Containerfile', name)
    assert.ok(stages.includes(service.build.target), name)
    assert.deepEqual({ ...service, ...restrictions }, service, name)
    for (const setting of Object.keys(service.environment)) {
      assert.match(settings, new RegExp(`^  ${setting}: Type`, 'm'), setting)
    }
    for (const file of service.command?.slice(0, 1) ?? []) {
      assert.ok(existsSync(join(root, file)), file)
    }
  }
  for (const port of Object.values(services).flatMap(({ ports = [] }) => ports)) {
    assert.match(port, /^127\.0\.0\.1:/)
  }
})

/**
 * `docker compose up --wait` fails when a service exits, unless another one waits for its end.
 * https://github.com/docker/compose/issues/10596
 */
test('in compose.yaml, the service waits for the end of every one-shot container', () => {
  const awaited = Object.entries(services['muster']?.depends_on ?? {})
    .filter(([, { condition }]) => condition === 'service_completed_successfully')
    .map(([name]) => name)
  const oneShots = Object.entries(services)
    .filter(([, { restart }]) => restart === undefined)
    .map(([name]) => name)
  assert.deepEqual(awaited, oneShots)
})

test('in compose.yaml, the service has its own login, and no other password', () => {
  const passwords = Object.entries(services).map(([name, { environment }]) => [
    name,
    [
      ...new Set(
        Object.values(environment)
          .join(' ')
          .match(/\w+_PASSWORD(?=:)/g),
      ),
    ].toSorted(),
  ])
  assert.deepEqual(Object.fromEntries(passwords), {
    postgres: ['POSTGRES_PASSWORD'],
    roles: ['MUSTER_ADMIN_PASSWORD', 'MUSTER_SERVICE_PASSWORD', 'POSTGRES_PASSWORD'],
    // That of the superuser is the default of the owner's.
    migrate: ['MUSTER_ADMIN_PASSWORD', 'POSTGRES_PASSWORD'],
    muster: ['MUSTER_SERVICE_PASSWORD'],
    demo: ['MUSTER_ADMIN_PASSWORD', 'POSTGRES_PASSWORD'],
  })
  const { environment = {} } = services['muster'] ?? {}
  assert.deepEqual(Object.keys(environment), ['DATABASE_SERVICE_URL', 'PUBLIC_URL'])
  assert.match(environment['DATABASE_SERVICE_URL'] ?? '', /^postgres:\/\/muster_service:\S+$/)
})

test('every base image is named with the digest of its content', () => {
  const bases = of('FROM').map((line) => line.split(' ')[0] ?? '')
  const images = [...bases, ...Object.values(services).map(({ image = '' }) => image)]
  const official = images.filter((name) => name !== '' && !stages.includes(name))
  assert.equal(official.length, 4)
  for (const name of official) {
    assert.match(name, /^docker\.io\/library\/[\w.-]+:[\w.-]+@sha256:[0-9a-f]{64}$/)
  }
})
