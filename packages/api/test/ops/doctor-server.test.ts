import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { atEnd } from '@muster/testing/at-end'
import { freePort } from '@muster/testing/free-port'
import { startOwn } from '@muster/testing/own-server'

import { connect } from '#test/support/database'
import { startOwnPostgres } from '#test/support/own-postgres'
import { isLong } from '#test/support/size'

import { doctor } from './doctor.ts'

/** These restart a server several times, and wait for its WAL. */
const skip = isLong ? false : 'runs only with --long: npm test -- --long doctor-server'

/** States of a whole server: roles, settings, archiving and replication, on a server of its own. */
const postgres = await startOwnPostgres(['max_wal_size=32MB', 'min_wal_size=32MB'])
const { url, folder } = postgres
let sql = await connect(url)
atEnd(() => sql.end())
const run = () => doctor({ DATABASE_URL: url })

/** ALTER SYSTEM cannot run with other statements. */
async function set(setting: string): Promise<void> {
  await sql.query(`alter system ${setting}`)
  await sql.query('select pg_reload_conf()')
  await sleep(500)
}

async function until(condition: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const { rows } = await sql.query(`select ${condition} as is_met`)
    if (rows[0].is_met) return
    await sleep(100)
  }
  assert.fail(`not met within 30 seconds: ${condition}`)
}

/** Writes WAL files: one switch each. */
async function switchWal(files: number): Promise<void> {
  for (let file = 0; file < files; file++) {
    await sql.query(`select pg_logical_emit_message(true, 'test', 'x'); select pg_switch_wal()`)
  }
}

const writeWal = (mebibytes: number) =>
  sql.query(
    `select count(pg_logical_emit_message(false, 'test', repeat('x', 1048576)))
     from generate_series(1, $1)`,
    [mebibytes],
  )

test('reports roles with too many rights, and a missing role', async () => {
  await sql.query(`alter role muster_app superuser; alter role muster_auth bypassrls;
    grant pg_monitor to muster_owner`)
  const { code, seen } = await run()
  assert.equal(code, 1)
  const superuser = 'Run as a superuser:'
  for (const line of [
    `error: muster_app is a superuser. → ${superuser} alter role muster_app nosuperuser`,
    `error: muster_auth bypasses row level security. → ${superuser} alter role muster_auth nobypassrls`,
  ]) {
    assert.ok(seen('roles').includes(line), seen('roles').join('\n'))
  }
  assert.match(seen('roles').join('\n'), /error: muster_owner may act as .*pg_monitor/)
  await sql.query(`alter role muster_app nosuperuser; alter role muster_auth nobypassrls;
    revoke pg_monitor from muster_owner; alter role muster_auth rename to renamed`)
  const missing = await run()
  assert.equal(missing.code, 1)
  assert.match(
    missing.seen('roles').join('\n'),
    /error: The server lacks the roles muster_auth\. → Run: npm run migrate, or create them/,
  )
  await sql.query('alter role renamed rename to muster_auth')
  assert.match((await run()).seen('roles').join(), /^ok: /)
})

test('reports settings that lose data in a crash', async () => {
  await set('set fsync = off')
  await set('set full_page_writes = off')
  const { code, seen } = await run()
  assert.equal(code, 1)
  assert.deepEqual(
    seen('durability'),
    ['fsync', 'full_page_writes'].map(
      (name) =>
        `error: ${name} is off: a crash of the server can destroy the database. → ` +
        `Set ${name} = on in postgresql.conf and reload PostgreSQL.`,
    ),
  )
  await set('reset all')
  assert.deepEqual((await run()).seen('durability'), [
    'ok: fsync is on.',
    'ok: full_page_writes is on.',
  ])
})

async function restart(): Promise<void> {
  await sql.end()
  await postgres.stop()
  await postgres.start()
  sql = await connect(url)
}

test('reports a primary with a recovery target, until it is reset', async () => {
  const target = async () => {
    const { code, seen } = await run()
    return [code, ...seen('recovery-target')].join(' ')
  }
  await set(`set recovery_target_time = '2026-01-31 03:04:05+00'`)
  await set(`set recovery_target_action = 'promote'`)
  await restart()
  const resets =
    'alter system reset recovery_target_action; alter system reset recovery_target_time'
  const found =
    '1 error: The primary has recovery_target_action, recovery_target_time: ' +
    'a standby made from it stops at that target and becomes a second primary. → ' +
    `Run as a superuser, then restart PostgreSQL: ${resets}`
  assert.equal(await target(), found)
  for (const each of resets.split('; ')) await sql.query(each)
  await restart()
  assert.equal(await target(), '0 ok: No recovery target is set.')
})

test('reports an archive that is not set up, fails or is behind', { skip }, async () => {
  const archiving = async () => {
    const { code, seen } = await run()
    return [code, ...seen('archiving')].join(' ')
  }
  assert.match(await archiving(), /^0 warning: WAL archiving is off .+ → .+ Set archive_mode = on/)
  await set('set archive_mode = on')
  await restart()
  assert.match(await archiving(), /^1 error: .+ without archive_command .+ → Set archive_command/)
  await set(`set archive_command = 'true'`)
  assert.match(await archiving(), /^0 warning: .+ no file has been archived\. → Run as a superuser/)
  await set(`set archive_command = 'false'`)
  await switchWal(1)
  await until('(select failed_count > 0 from pg_stat_archiver)')
  assert.match(
    await archiving(),
    /^1 error: WAL archiving fails: \d+ failures?, the last at \w{24}\. → Search the log/,
  )
  const hold = join(dirname(folder), 'hold')
  await set(`set archive_command = 'while test -e ${hold}; do sleep 0.1; done'`)
  await until('(select archived_count > 0 from pg_stat_archiver)')
  assert.match(
    await archiving(),
    /^0 ok: 0 WAL files waiting, the last was archived \d+ seconds? ago/,
  )
  writeFileSync(hold, '')
  await switchWal(9)
  assert.match(await archiving(), /^0 warning: 9 WAL files waiting, .+ → Check that the archive/)
  rmSync(hold)
  await until('(select archived_count > 9 from pg_stat_archiver)')
  assert.match(await archiving(), /^0 ok: 0 WAL files waiting/)
})

test('reports slots that retain WAL', { skip }, async () => {
  const slots = async () => {
    const { code, seen } = await run()
    return [code, ...seen('replication-slots')].join(' ')
  }
  assert.equal(await slots(), '0 ok: There is no replication slot.')
  await sql.query('checkpoint')
  await sql.query(`select pg_create_physical_replication_slot('forgotten', true)`)
  const drop = `select pg_drop_replication_slot('forgotten')`
  const next = `→ Start its standby, or run as a superuser: ${drop}`
  assert.match(await slots(), /^0 warning: forgotten: inactive, retains .+ of WAL\. → Start its/)
  await writeWal(40)
  const full = await slots()
  assert.match(full, /^1 error: forgotten: inactive, retains \d\d MiB of WAL\. /)
  assert.ok(full.endsWith(next), full)
  await set(`set max_slot_wal_keep_size = '1MB'`)
  await sql.query('checkpoint')
  assert.match(
    await slots(),
    /^1 error: forgotten: its WAL was removed\. → Create its standby again/,
  )
  await sql.query(drop)
  await set('reset max_slot_wal_keep_size')
})

/** Starts a standby on a copy of the files of the server. */
async function startStandby() {
  const place = { folder: join(dirname(folder), 'standby'), port: await freePort() }
  await sql.query(`select pg_create_physical_replication_slot('second')`)
  await sql.end()
  await postgres.stop()
  execFileSync('cp', ['-a', folder, place.folder])
  writeFileSync(join(place.folder, 'standby.signal'), '', { mode: 0o666 })
  await postgres.start()
  sql = await connect(url)
  const { port } = new URL(url)
  const primary = `host=127.0.0.1 port=${port} user=postgres application_name=second`
  const settings = [`primary_conninfo=${primary}`, 'primary_slot_name=second']
  const standby = await startOwn({ ...place, settings })
  let isRunning = true
  const stop = async () => {
    if (isRunning) await standby[Symbol.asyncDispose]()
    isRunning = false
  }
  atEnd(stop)
  await until(`exists (select from pg_stat_replication where state = 'streaming')`)
  return { url: standby.url, stop }
}

test('reports a base backup that is in progress', async () => {
  const backup = await connect(`${url}?replication=true&application_name=copy`)
  backup.query(`BASE_BACKUP (LABEL 'test', CHECKPOINT 'fast')`).catch(() => {})
  backup.connection.stream.pause()
  await until(`exists (select from pg_stat_replication where state = 'backup')`)
  const { code, seen } = await run()
  assert.deepEqual([code, ...seen('standbys')], [0, 'ok: copy: a base backup is in progress.'])
  backup.connection.stream.destroy()
  await until('not exists (select from pg_stat_replication)')
})

test('reports standbys, their lag, and the server itself as a standby', { skip }, async () => {
  const look = async (from = url) => {
    const { code, seen } = await doctor({ DATABASE_URL: from })
    const line = (check: string) => [code, ...seen(check)].join(' ')
    return { standbys: line('standbys'), slots: line('replication-slots'), line }
  }
  assert.equal((await look()).standbys, '0 ok: No standby is connected.')
  const standby = await startStandby()
  const streaming = await look()
  assert.match(streaming.standbys, /^0 ok: second: streaming, async, \d+ \w+ behind\.$/)
  assert.match(streaming.slots, /^0 ok: second: active, retains .+ of WAL\.$/)

  const onStandby = await look(standby.url)
  assert.match(
    onStandby.line('server'),
    /^1 error: The server is a standby .+ → Set DATABASE_URL to/,
  )
  assert.deepEqual([onStandby.standbys, onStandby.line('archiving')], ['1', '1'], 'not checked')

  const replay = await connect(standby.url)
  await replay.query('select pg_wal_replay_pause()')
  await writeWal(65)
  assert.match((await look()).standbys, /^0 warning: second: .+, 6\d MiB behind\. → Check the log/)
  await replay.query('select pg_wal_replay_resume()')
  await replay.end()

  await sql.query('create role plain login; grant muster_owner, muster_app to plain')
  const plain = url.replace('postgres@', 'plain@')
  assert.equal(
    (await look(plain)).standbys,
    '0 warning: 1 standby connected. The lag is not readable without pg_read_all_stats. → ' +
      'Run as a superuser: grant pg_read_all_stats to plain',
  )
  await sql.query('grant pg_read_all_stats to plain')
  assert.match((await look(plain)).standbys, /^0 ok: second: streaming, async/)

  await sql.query('alter database postgres set synchronous_commit = local')
  await set(`set synchronous_standby_names = 'second'`)
  const local = await look()
  assert.match(local.standbys, /^0 ok: second: streaming, sync,/)
  assert.match(local.line('synchronous-commit'), /^0 warning: .+ is local .+: a failover loses/)
  await standby.stop()
  const alone = await look()
  assert.match(alone.standbys, /^1 error: .+ no synchronous standby is connected\. → Writes wait/)
  await set('reset synchronous_standby_names')
})
