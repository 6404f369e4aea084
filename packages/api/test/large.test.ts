import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { Door } from '#domain/door'
import { whoami } from '#domain/keys'
import type { Listing } from '#domain/listing'
import { addPerson, viewPerson } from '#domain/personnel'
import { addRisk } from '#domain/risks'
import { issueToken } from '#domain/token'
import { Database } from '#storage/database'
import { encodeId } from '#storage/id'
import { createPool } from '#storage/pool'

import { atEnd } from './at-end.ts'
import { connect } from './database.ts'
import { openLarge } from './large.ts'
import { listVariants } from './lists.ts'
import { planOf } from './plan.ts'
import { type Statement, sentDuring } from './statements.ts'

/**
 * A page as the console asks for it. Its rows lie on as many pages of the heap as there are rows.
 */
const pageRows = 50
const buffersMax = 100

const { host, home } = await openLarge()
const { id: keyId } = await home.issue()
const database = new Database(createPool({ url: host.url, role: 'muster_app', max: 2 }))
atEnd(() => database[Symbol.asyncDispose]())
const door = new Door(database)
const occasion = { requestId: null, repeatable: null }
const caller = door.caller(
  { workspaceId: home.id, keyId },
  occasion,
) as Caller<'personnel.manage'> & Caller<'projects.manage'>

/**
 * Plans as the service gets them: its role, its row level security, the statistics of the tables.
 */
const service = await connect(host.url)
atEnd(() => service.end())
await service.query(`set role muster_app`)
await service.query(`select set_config('app.ws', $1, false)`, [home.uuid])

const ids = { prj: await idsOf('prj', 'project_id'), usr: await idsOf('usr', 'owner_user_id') }

async function idsOf(prefix: string, column: string): Promise<string[]> {
  const { rows } = await host.sql.query(
    `select distinct ${column} as id from risks
     where workspace_id = $1 and ${column} is not null limit 20`,
    [home.uuid],
  )
  return rows.map(({ id }) => encodeId(prefix, id))
}

/** What reads; `set_config` only says in which workspace. */
const isRead = ({ sql }: Statement) => /^\s*select/.test(sql) && !sql.includes('set_config')

async function middleOf(list: Listing<object>) {
  const first = await list.page({ after: null, limit: 50_000, countMax: null })
  if (first.next !== null || first.items.length < 2) return first.next
  const limit = Math.floor(first.items.length / 2)
  return (await list.page({ after: null, limit, countMax: null })).next
}

const variants = listVariants(ids)

for (const { name, parameter, query, listing } of variants.filter(
  (each) => each.parameter !== 'q',
)) {
  test(`${name}: a page reads at most ${buffersMax} buffers, first and deep`, async (t) => {
    const list = listing(caller)
    const lanes = [Object.values(query)].flat(2).length
    const most = buffersMax + Math.max(0, lanes - 1) * (pageRows + 6)
    const seen: number[] = []
    for (const after of [null, await middleOf(list)]) {
      const page = { after, limit: pageRows, countMax: null }
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        await service.query(`set plan_cache_mode = ${mode}`)
        const sent = await sentDuring(() => list.page(page))
        for (const statement of sent.filter(isRead)) {
          const { buffers, scanned, text } = await planOf(service, statement)
          assert.ok(buffers <= most, `${buffers} buffers, ${mode}\n${text}`)
          assert.deepEqual(
            scanned.filter((table) => table !== 'cluster'),
            [],
            text,
          )
          seen.push(buffers)
        }
      }
    }
    t.diagnostic(`${parameter || 'unfiltered'}: at most ${Math.max(...seen)} buffers`)
  })
}

test('q reads only the range of its own workspace', async (t) => {
  await service.query(`set plan_cache_mode = force_generic_plan`)
  for (const { name, listing } of variants.filter(({ parameter }) => parameter === 'q')) {
    const page = { after: null, limit: pageRows, countMax: null }
    const sent = await sentDuring(() => listing(caller).page(page))
    for (const statement of sent.filter(isRead)) {
      const { buffers, scanned, text } = await planOf(service, statement)
      assert.deepEqual(
        scanned.filter((table) => table !== 'cluster'),
        [],
        text,
      )
      t.diagnostic(`${name}: ${buffers} buffers`)
    }
  }
})

test('a total is counted no further than it is told', async (t) => {
  for (const { name, listing } of variants.filter(({ parameter }) => parameter === 'level')) {
    const page = { after: null, limit: 1, countMax: limits.totalCountMax }
    const sent = await sentDuring(() => listing(caller).page(page))
    const counting = sent.filter(({ sql }) => sql.includes('count(*)'))
    for (const statement of counting) {
      const { buffers, text } = await planOf(service, statement)
      assert.ok(buffers <= limits.totalCountMax + 200, text)
      t.diagnostic(`${name}: ${buffers} buffers`)
    }
  }
})

test('what is looked up by key reads a handful of buffers', async (t) => {
  const [manager = ''] = ids.usr
  const [project = ''] = ids.prj
  const { workspaceId, actor, ...rest } = caller
  const stamp = process.hrtime.bigint()
  const sent = await sentDuring(async () => {
    await viewPerson(caller, manager)
    await whoami({ workspaceId, actor, ...rest })
    await door.open(issueToken(home.id).token).catch(() => {})
    const repeatable = { digest: Buffer.alloc(32), fingerprint: Buffer.alloc(32), isReplay: false }
    const input = {
      name: 'Late',
      email: `late-${stamp}@example.com`,
      external_id: `late-${stamp}`,
      manager_user_id: manager,
    }
    await host.sql.query(
      'update workspace_counters set people_max = people_max + 1, live_risks_max = live_risks_max + 1 where workspace_id = $1',
      [home.uuid],
    )
    await addPerson({ ...caller, repeatable }, input)
    await addRisk(caller, project, {
      title: 'Late',
      likelihood: 1,
      impact: 1,
      owner_user_id: manager,
    })
  })
  const reads = sent.filter(isRead).filter(({ sql }) => !sql.includes('advisory'))
  assert.ok(reads.length > 8)
  for (const statement of reads) {
    const { buffers, scanned, text } = await planOf(service, statement)
    assert.deepEqual(
      scanned.filter((table) => table !== 'cluster'),
      [],
      text,
    )
    assert.ok(buffers <= 20, `${buffers} buffers\n${text}`)
  }
  t.diagnostic(`${reads.length} statements`)
})
