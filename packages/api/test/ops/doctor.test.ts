import assert from 'node:assert/strict'
import { test } from 'node:test'

import { version } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { judgeServer } from '#admin/doctor/server'
import { judgeArchiver } from '#admin/doctor/wal'
import { Sweeper } from '#domain/workspace/sweep'
import { createWorkspace } from '#domain/workspace/workspaces'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { connect, createDatabase } from '#test/support/database'
import { longTimeouts } from '#test/support/long-timeouts'
import { allDue, sweepDue } from '#test/support/sweep'

import { admin } from './admin.ts'
import { doctor } from './doctor.ts'

const url = await createDatabase()
const sql = await connect(url)
const name = new URL(url).pathname.slice(1)
const open = (role: 'muster_app' | 'muster_owner') =>
  new Database(createPool({ url, role, max: 2, timeouts: longTimeouts }))
const [owner, service] = [open('muster_owner'), open('muster_app')]
atEnd(async () => {
  await sql.end()
  await Promise.all([owner, service].map((each) => each[Symbol.asyncDispose]()))
})
const run = (...args: string[]) => doctor({ DATABASE_URL: url }, ...args)

test('reports a commit that does not wait for the disk', async () => {
  const { code, seen } = await run()
  assert.equal(code, 1)
  assert.match(
    seen('synchronous-commit').join(),
    /^error: synchronous_commit is off for the service: .+ → Set synchronous_commit = on:/,
  )
  await sql.query(`alter database ${name} reset synchronous_commit`)
})

test('states the version of the release, as admin --version does', async () => {
  const { seen } = await run()
  assert.deepEqual(seen('version'), [`ok: Muster ${version}, Node ${process.versions.node}.`])
  assert.deepEqual((await admin(url, '--version')).lines, [version])
})

test('reports a workspace that is not swept, a job that waits, and workers that stopped', async () => {
  const { id } = await createWorkspace(owner, 'Acme')
  const never = await run()
  assert.equal(never.code, 0, never.stdout)
  const start = '→ Start the service with WORKERS=on. If it runs, search its log for'
  assert.deepEqual(never.seen('jobs'), [
    `warning: No worker has ever run. ${start} "background jobs wait".`,
  ])
  assert.deepEqual(never.seen('swept-workspaces'), [
    `warning: Not swept for the current day: 1 workspace, the first is ${id}. ${start} ` +
      '"a job failed".',
  ])
  await sweepDue(new Sweeper(service))
  await sql.query(`
    select pgboss.create_queue('sweep', '{"policy": "exclusive"}');
    update pgboss.queue set monitor_on = now();
    insert into pgboss.job (name, start_after) values ('sweep', now() - interval '901 seconds')`)
  const swept = await run()
  assert.match(swept.seen('jobs')[0] ?? '', /^ok: A worker last ran \d+ seconds? ago\.$/)
  assert.match(
    swept.seen('jobs')[1] ?? '',
    /^warning: A job of the queue sweep has waited 15 minutes\. →/,
  )
  assert.deepEqual(swept.seen('swept-workspaces'), [
    'ok: Every workspace is swept for its current day.',
  ])
  await sql.query(`${allDue}; delete from pgboss.job;
    update pgboss.queue set monitor_on = now() - interval '3601 seconds'`)
  const stopped = await run()
  await sweepDue(new Sweeper(service))
  await sql.query('update pgboss.queue set monitor_on = now()')
  assert.equal(stopped.code, 1)
  assert.match(stopped.seen('jobs').join(), /^error: A worker last ran 60 minutes ago\. →/)
  assert.match(stopped.seen('swept-workspaces').join(), /^warning: .+ 1 workspace/)
})

test('finds no error in a healthy database, and prints the same as JSON', async () => {
  const [text, json] = await Promise.all([run(), run('--json')])
  assert.deepEqual([text.code, json.code], [0, 0], text.stdout)
  const checks = ['configuration', 'server', 'clock', 'migrations', 'roles', 'grants']
  checks.push('row-level-security', 'service-login', 'connections', 'synchronous-commit')
  for (const check of checks) assert.match(text.seen(check).join(), /^ok: /, check)
  assert.match(text.seen('tables')[0] ?? '', /^ok: \w+: \d+ KiB, \d+ rows? \(\+\d+ rows?/)
  assert.match(text.stderr, /^0 errors, \d+ warnings?\.\n$/)
  const { findings } = JSON.parse(json.stdout)
  for (const { check, state, found, next } of findings) {
    assert.equal(next === null, state === 'ok', found)
    if (/tables|jobs/.test(check)) continue
    const line = next === null ? `${state}: ${found}` : `${state}: ${found} → ${next}`
    assert.ok(text.seen(check).includes(line), `${check} ${line}\n${text.stdout}`)
  }
  assert.equal(findings.length, text.stdout.match(/^\w/gm)?.length)
})

test('compares the pools of all processes with max_connections', async () => {
  const { rows } = await sql.query(`select current_setting('max_connections')::int as max`)
  const { max } = rows[0]
  const withPool = async (poolMax: number, ...args: string[]) => {
    const settings = { DATABASE_URL: url, DATABASE_POOL_MAX: String(poolMax) }
    const { code, seen } = await doctor(settings, ...args)
    return { code, line: seen('connections').join() }
  }
  const advice = '→ Lower DATABASE_POOL_MAX, or raise max_connections and restart PostgreSQL.'
  const [full, near, far] = await Promise.all([
    withPool(max / 2 - 2),
    withPool(max - 11, '--processes', '1'),
    withPool(max - 12, '--processes', '1'),
  ])
  const each = `(DATABASE_POOL_MAX ${max / 2 - 2} + 2)`
  const sum = `2 processes × ${each} = ${max} of ${max} connections`
  assert.deepEqual(full, { code: 1, line: `error: ${sum} (max_connections). ${advice}` })
  assert.deepEqual([near.code, near.line.startsWith('warning: 1 process ×')], [0, true], near.line)
  assert.deepEqual([far.code, far.line.startsWith('ok: ')], [0, true], far.line)
})

test('reports a clock that differs from that of the database', async () => {
  const shifted = async (seconds: number) => {
    const code = `const now=Date.now;Date.now=()=>now()+${seconds * 1000}`
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(code)}`
    const diagnosis = await doctor({ DATABASE_URL: url, NODE_OPTIONS })
    return [diagnosis.code, ...diagnosis.seen('clock')].join(' ')
  }
  const advice = '→ Synchronise the clocks of both machines with NTP.'
  assert.deepEqual(await Promise.all([shifted(-5), shifted(180)]), [
    `0 warning: The clock of the database is 5 seconds ahead. ${advice}`,
    `1 error: The clock of the database is 3 minutes behind. ${advice}`,
  ])
})

test('reports dead rows that were not vacuumed', async () => {
  await sql.query(`alter table job_locks set (autovacuum_enabled = off);
    insert into job_locks select 'job ' || n, gen_random_uuid(), now()
    from generate_series(1, 10001) as n;
    delete from job_locks where name like 'job %'; select pg_stat_force_next_flush()`)
  await sql.query('select 1')
  const { code, seen } = await run()
  assert.equal(code, 0)
  const line = seen('tables').find((each) => each.includes(': job_locks: '))
  assert.match(
    line ?? '',
    /^warning: .+ 10001 dead, never vacuumed\. → Run as muster_owner: vacuum/,
  )
  await sql.query('vacuum job_locks')
  const after = await run()
  assert.ok(!after.seen('tables').some((each) => each.startsWith('warning: job_locks')))
})

test('names the missing privilege of a login that may not read everything', async () => {
  const role = `${name}_plain`
  await sql.query(`create role ${role} login`)
  atEnd(async () => {
    const again = await connect(url)
    await again.query(`drop role ${role}`)
    await again.end()
  })
  const { code, seen } = await doctor({ DATABASE_URL: url.replace('postgres@', `${role}@`) })
  assert.equal(code, 1)
  assert.match(
    seen('roles').join(),
    new RegExp(
      `^error: The user ${role} .+ may not act as muster_owner\\. → .+: grant muster_owner`,
    ),
  )
  const denied = (as: string) =>
    `warning: Not readable: permission denied to set role "${as}". → ` +
    `Run as a superuser: grant ${as} to the user of DATABASE_URL`
  for (const check of ['migrations', 'jobs']) {
    assert.deepEqual(seen(check), [denied('muster_owner')])
  }
  for (const check of ['service-login', 'synchronous-commit', 'swept-workspaces']) {
    assert.deepEqual(seen(check), [denied('muster_app')])
  }
  for (const check of ['grants', 'row-level-security', 'server']) {
    assert.match(seen(check).join(), /^ok: /, check)
  }
})

test('checks the login of the service', async () => {
  const as = async (user: string) => {
    const DATABASE_SERVICE_URL = url.replace('postgres@', `${user}@`)
    const { code, seen } = await doctor({ DATABASE_URL: url, DATABASE_SERVICE_URL })
    return [code, ...seen('service-login')].join(' ')
  }
  assert.match(
    await as('postgres'),
    /^0 warning: The login .+, postgres, is a superuser\. → Create/,
  )
  assert.match(await as('absent'), /^1 error: Not checked: .+ → .+ user in DATABASE_SERVICE_URL/)
})

test('exits with 2 and one line when it cannot run', async () => {
  const cases = [
    [{ DATABASE_URL: 'postgres://postgres@127.0.0.1:9/muster' }, /cannot be reached/],
    [{ DATABASE_URL: url.replace(name, 'absent') }, /database "absent" does not exist/],
    [{ DATABASE_URL: url, LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of/],
    [{}, /DATABASE_URL must be/],
  ] as const
  const done = await Promise.all(cases.map(([settings]) => doctor(settings, '--json')))
  for (const [index, { code, stdout, stderr }] of done.entries()) {
    assert.deepEqual([code, stdout], [2, ''], stderr)
    assert.match(stderr, /^error: [^\n]+\n$/)
    assert.match(stderr, cases[index]?.[1] ?? /^$/)
  }
})

test('exits with 2 after a wrong option or argument, and with 0 after --help', async () => {
  const wrong = [['--proceses', '2'], ['--processes', 'two'], ['--processes'], ['everything']]
  for (const args of wrong) {
    const { code, stdout, stderr } = await run(...args)
    assert.deepEqual([code, stdout], [2, ''], args.join(' '))
    assert.match(stderr, /^error: [^\n]+\n/)
  }
  const help = await run('--help')
  assert.deepEqual([help.code, help.stderr], [0, ''])
})

test('refuses a version of PostgreSQL before 15', () => {
  const state = { version: '14.22', versionNumber: 140_022, isStandby: false }
  assert.equal(judgeServer(state).state, 'error')
  assert.equal(judgeServer({ ...state, versionNumber: 150_000 }).state, 'ok')
})

test('accepts the history of a timeline as the last archived file', () => {
  const state = {
    mode: 'on',
    hasCommand: true,
    lastFailed: null,
    failures: 0,
    isFailing: false,
    archivedSecondsAgo: 8,
    currentFile: '000000020000000100000003',
    fileBytes: 16 * 1024 ** 2,
  }
  const judge = (lastArchived: string) => {
    const { state: verdict, found } = judgeArchiver({ ...state, lastArchived })
    return `${verdict}: ${found}`
  }
  assert.equal(judge('00000002.history'), 'ok: 00000002.history was archived 8 seconds ago.')
  const waiting = (count: number) =>
    `${count} WAL files waiting, the last was archived 8 seconds ago.`
  assert.equal(judge('000000010000000100000000.partial'), `ok: ${waiting(2)}`)
  assert.equal(judge('0000000200000000000000F0.00000028.backup'), `warning: ${waiting(18)}`)
})
