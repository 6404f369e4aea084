import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'

import { Client } from 'pg'

import { blocksOf, freePort, read, run, start } from './follow.ts'

/**
 * Runs the commands of the self-hosting guide, as far as possible without systemd as init, with
 * other names of databases and roles, other folders and other ports.
 */
const server = (process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/').replace(
  /\/\w*$/,
  '',
)
const id = randomBytes(4).toString('hex')
const database = `muster_host_${id}`
const folder = mkdtempSync(join(tmpdir(), 'self-host-'))
mkdirSync(join(folder, 'backups'))

after(async () => {
  const sql = await connect(`${server}/postgres`)
  for (const name of [database, `${database}_restored`]) {
    await sql.query(`drop database if exists ${name} with (force)`)
  }
  for (const name of ['admin', 'service'])
    await sql.query(`drop role if exists muster_${name}_${id}`)
  await sql.end()
  rmSync(folder, { recursive: true })
})

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

const guide = blocksOf(read('docs/guides/self-host.md'))

/** The block that contains the marker, with the names, folders and ports of this test. */
function at(marker: string, port = '8081'): string {
  const block = guide.find(({ language, text }) => language === 'sh' && text.includes(marker))
  assert.ok(block, `the guide has no command with ${marker}`)
  return block.text
    .replaceAll('postgres://postgres@127.0.0.1:5432', server)
    .replaceAll('/etc/muster', join(folder, 'etc'))
    .replaceAll('/var/backups', join(folder, 'backups'))
    .replaceAll(/muster_(admin|service)\b/g, `muster_$1_${id}`)
    .replaceAll('muster_restored', `${database}_restored`)
    .replaceAll(/(database |\/)muster(?![\w@.-])/g, `$1${database}`)
    .replaceAll('8081', port)
}

/** Runs commands in a shell with SERVER set, and returns their output. */
async function follow(commands: string, env: Record<string, string> = {}): Promise<string> {
  const opening = `set -euo pipefail\nSERVER=${server}\ncurl() { command curl --fail "$@"; }\n`
  const { code, stdout, stderr } = await run(opening + commands, {
    env: { DATABASE_URL: '', ...env },
  })
  assert.equal(code, 0, `${commands}\n${stdout}${stderr}`)
  return stdout
}

const envFile = (name: string) => parseEnv(readFileSync(join(folder, 'etc', name), 'utf8'))

/** Starts a service as in the guide, with no database credential but its own. */
async function startService(): Promise<string> {
  const port = await freePort()
  await start(at('npm start', port), {}, /listening/)
  return port
}

test('the guide leads from an empty server to a running service, a backup and a restore', async (t) => {
  await follow(at('create role muster_admin') + at('admin.env <<ENV'))
  const KEY = (await follow(`${at('bootstrap')}\necho "$KEY"`)).trim().split('\n').at(-1) ?? ''
  assert.match(KEY, /^muster_key_/)
  assert.deepEqual(Object.keys(envFile('service.env')), ['DATABASE_SERVICE_URL'])
  const port = await startService()

  for (const marker of ['/readyz', '/v1/workspace']) {
    const index = guide.findIndex(({ text }) => text.startsWith('curl') && text.includes(marker))
    const answer = JSON.parse(await follow(at(guide[index]?.text ?? '', port), { KEY }))
    for (const [name, value] of Object.entries(JSON.parse(guide[index + 1]?.text ?? ''))) {
      assert.deepEqual(answer[name], value, marker)
    }
  }
  const examined = await follow(at('admin -- doctor'))
  assert.match(examined, /^ok +service-login +muster_service_\w+ is muster_app only\.$/m)
  assert.doesNotMatch(examined, /^(error|.+ Not readable)/m)
  const headers = { authorization: `Bearer ${KEY}` }
  const roster = `http://127.0.0.1:${port}/v1/personnel`
  const added = await fetch(roster, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada' }),
  })
  assert.equal(added.status, 201)
  const before = await fetch(roster, { headers })
  const conditional = { ...headers, 'if-none-match': before.headers.get('etag') ?? '' }
  assert.equal((await fetch(roster, { headers: conditional })).status, 304)

  await backUpAndRestore(t.diagnostic.bind(t))
  await follow(at('/muster_restored,'))
  const restored = await startService()

  const at304 = await fetch(roster.replace(port, restored), { headers: conditional })
  assert.equal(at304.status, 304, 'an ETag of a change that was not lost is valid')
  await follow(`set -a; . ${folder}/etc/admin.env; set +a\n${at('epoch renew')}`)
  const again = await fetch(roster.replace(port, restored), { headers: conditional })
  assert.equal(again.status, 200, 'after the renewal, no earlier ETag is valid')
  assert.deepEqual(await again.json(), await before.json())
  const done = await follow(`set -a; . ${folder}/etc/admin.env; set +a\n${at('workspace create')}`)
  assert.match(done, /\tBeta\n/)
  assert.ok(existsSync(join(folder, 'backups/beta-last/manifest.json')))
  assert.match(done, /\nmuster_key_\w+\n$/, 'the import prints a key')
})

/** pg_dump must not be older than the server. With an older one, the database is copied. */
async function backUpAndRestore(print: (text: string) => void): Promise<void> {
  const major = (text: string) => Number(/(\d+)[.\s]/.exec(text)?.[1] ?? 0)
  const sql = await connect(`${server}/postgres`)
  const { rows } = await sql.query('show server_version')
  const dumper = await run('pg_dump --version')
  if (major(dumper.stdout) >= major(`${rows[0].server_version} `)) {
    await follow(at('pg_dump') + at('pg_restore'))
  } else {
    print('pg_dump is older than the server: the database is copied instead')
    const grants = at('pg_restore').replace(/^pg_restore.*$/m, '')
    const copy = `create database ${database}_restored template ${database};`
    await sql.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${database}'`)
    await follow(grants.replace(`create database ${database}_restored;`, copy))
  }
  await sql.end()
}

test('the database login of the service has least privilege', async () => {
  const sql = await connect(envFile('service.env')['DATABASE_SERVICE_URL'] ?? '')
  for (const statement of [
    'select id from muster.people',
    'set role muster_owner',
    'create table public.mine (id int)',
    'create schema mine',
    'create temp table mine (id int)',
    'create role mine',
    'set role muster_app; drop table muster.people',
    'set role muster_app; delete from muster.people',
    "set role muster_app; update muster.workspaces set status = 'active'",
    'set role muster_app; select id from muster.people',
  ]) {
    await assert.rejects(
      sql.query(statement),
      /denied|must be|unrecognized configuration/,
      statement,
    )
    await sql.query('rollback')
  }
  await sql.end()
})

test('the login has the session settings of the service as defaults, for PgBouncer', async () => {
  const printed = await follow(`${at('session-settings')}\nnpm run -s admin -- session-settings x`)
  const sql = await connect(envFile('service.env')['DATABASE_SERVICE_URL'] ?? '')
  const { rows } = await sql.query(`select current_user as role,
    current_setting('search_path') as search_path, current_setting('enable_seqscan') as scan`)
  await sql.end()
  assert.deepEqual(rows, [{ role: 'muster_app', search_path: 'muster, pg_temp', scan: 'off' }])
  assert.match(printed, /^alter role "x" set role = 'muster_app';$/m)
})

test('HAProxy accepts the configuration of the guide', async () => {
  const certificate = join(folder, 'muster.pem')
  const made = await run(
    `openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=muster \
      -keyout ${certificate}.key -out ${certificate}.crt && cat ${certificate}.* > ${certificate}`,
  )
  assert.equal(made.code, 0, made.stderr)
  const config = read('deploy/haproxy/haproxy.cfg')
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, config.replace('/etc/haproxy/muster.pem', certificate))
  const checked = await run(`PATH=$PATH:/usr/sbin haproxy -c -f ${file}`)
  assert.equal(checked.code, 0, checked.stderr)
  assert.equal(checked.stderr.includes('WARNING'), false, checked.stderr)
})

test('systemd accepts both units, with an exposure level of at most 2.0', async (t) => {
  if ((await run('command -v systemd-analyze')).code !== 0) {
    return t.diagnostic('not checked: systemd-analyze is not installed')
  }
  for (const [source, name] of [
    ['muster@', 'muster@8081'],
    ['muster-migrate', 'muster-migrate'],
  ] as const) {
    const unit = read(`deploy/systemd/${source}.service`)
    const [, program = '', script = ''] = /^ExecStart=(\S+) .*?(\S+\.ts)$/m.exec(unit) ?? []
    assert.ok(existsSync(new URL(`../${script}`, import.meta.url)), script)
    const file = join(folder, `${name}.service`)
    writeFileSync(file, unit.replaceAll(program, process.execPath))
    const verified = await run(`systemd-analyze verify ${file}`)
    assert.equal(verified.code, 0, verified.stderr)
    assert.equal(verified.stderr, '')
    const rated = await run(`systemd-analyze security --offline=true --threshold=20 ${file}`)
    assert.equal(rated.code, 0, rated.stdout)
  }
})

test('the settings, commands and metrics in the guide exist', async () => {
  const text = read('docs/guides/self-host.md')
  const settings = read('packages/api/src/config/config.ts')
  const compose = read('compose.yaml')
  for (const [, name = ''] of text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)) {
    if (name === 'KEY' || compose.includes(`\${${name}:`)) continue
    assert.match(settings, new RegExp(`^  ${name}: Type`, 'm'), name)
  }
  const cwd = fileURLToPath(new URL('../', import.meta.url))
  const sources = globSync('packages/api/src/http/{auth,edge,ops}/*.ts', { cwd }).map(read).join('')
  const units = 'seconds|connections|max|total|bytes|rows|info|up|ready'
  const metrics = Array.from(text.matchAll(new RegExp(`\`(muster_(?:\\w+_)?(?:${units}))\``, 'g')))
  assert.ok(metrics.length > 15, `${metrics.length} metrics`)
  for (const [, name = ''] of metrics) assert.ok(sources.includes(`'${name}'`), name)
  const { scripts } = JSON.parse(read('package.json'))
  for (const [, name = ''] of text.matchAll(/npm run (?:-s )?(\w+)/g))
    assert.ok(name in scripts, name)
})
