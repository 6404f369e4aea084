import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { atEnd } from '@muster/testing/at-end'

import { migrate } from '#storage/migration/migrate'
import { connect } from '#test/support/database'
import { startOwnPostgres } from '#test/support/own-postgres'
import { timed } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

import { Fleet } from './fleet.ts'
import { soak, soakMs } from './length.ts'
import { writeUnderFaults } from './under-faults.ts'

const megabytes = 96
/** The user id `nobody`, which PostgreSQL runs as when the tests run as root. */
const unprivilegedUid = 65_534

/** Mounts a small volume; returns null without permission to mount. */
function smallVolume(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'muster-small-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
  atEnd(async () => {
    execFileSync('umount', [folder])
    rmSync(folder, { recursive: true })
  })
  chmodSync(folder, 0o755)
  return folder
}

/** Creates a database with its tables on that volume. The server's own files are elsewhere. */
async function databaseOn(volume: string): Promise<string> {
  const postgres = await startOwnPostgres()
  const folder = join(volume, 'tables')
  mkdirSync(folder)
  chownSync(folder, unprivilegedUid, unprivilegedUid)
  const sql = await connect(postgres.url)
  await sql.query(`create tablespace small location '${folder}'`)
  await sql.query('create database small tablespace small')
  await sql.end()
  const url = new URL(postgres.url)
  url.pathname = '/small'
  await migrate(url.href)
  return url.href
}

const volume = smallVolume()

test(`a full disk refuses writes only ${soak.name}`, async (t) => {
  if (volume === null) {
    t.skip('requires permission to mount a volume')
    return
  }
  const host = await startHost({ url: await databaseOn(volume) })
  const fleet = await Fleet.start(host.url, 2, 'longTimeouts')
  const ballast = join(volume, 'ballast')
  const manager = await (await newWorkspace(host)).manager()
  await manager.post('/v1/personnel', { name: 'Someone' })
  const end = performance.now() + soakMs
  const reading = (async () => {
    const headers = { authorization: `Bearer ${manager.token}` }
    const answers = []
    while (performance.now() < end) {
      for (const base of fleet.bases) {
        for (const path of ['/v1/personnel?limit=10', '/v1/personnel', '/v1/whoami']) {
          answers.push(await timed(new URL(path, base), { headers }))
        }
      }
      await sleep(50)
    }
    return answers
  })()
  const { retried } = await writeUnderFaults(t, {
    host,
    bases: () => fleet.bases,
    fault: 'periods with a full disk',
    effect: ({ tries }) => tries > 1,
    async inject(next) {
      fill(ballast)
      await sleep(2000 + next() * 2000)
      rmSync(ballast)
      await sleep(500 + next() * 1500)
    },
  })
  const answers = await reading
  const refused = answers.filter(({ status }) => status !== 200)
  t.diagnostic(`${retried} writes were refused at first; ${answers.length} reads`)
  assert.deepEqual(refused, [], 'every read succeeds')
  fleet.assertAlive()
})

/** Fills all free space. */
function fill(file: string): void {
  for (const bytes of [2 ** 20, 2 ** 12]) {
    const block = Buffer.alloc(bytes)
    try {
      for (;;) writeFileSync(file, block, { flag: 'a' })
    } catch (error) {
      const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
      if (!isFull) throw error
    }
  }
}
