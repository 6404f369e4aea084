import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { makeDemoKeys, seed, storyWorkspace } from '@muster/api/seed'
import { everyOperation } from '@muster/contract'

import { administrator } from '#domain/caller'
import { exportWorkspace } from '#domain/export'
import { addGroup } from '#domain/groups'
import { createKey, everyKey, revokeKey } from '#domain/keys'
import { summarizeOpenIssues } from '#domain/open-issues'
import { summarizeRegister } from '#domain/register'
import { Sweeper } from '#domain/sweep'
import {
  closeForGood,
  isBeingRemoved,
  removeRows,
  resumeWorkspace,
  suspendWorkspace,
} from '#domain/workspace-life'
import { everyWorkspace, findWorkspace, foundWorkspace, pickWorkspace } from '#domain/workspaces'
import { selectCursorSecret, updateEpoch } from '#storage/cluster'
import { Database } from '#storage/database'
import { createPool } from '#storage/pool'

import { Client, type Json } from './client.ts'
import { signIn } from './console.ts'
import { assertGolden } from './golden.ts'
import { listCombinations, listVariants } from './lists.ts'
import { endsItsKey, exampleFor, setScene, setSceneFor } from './scene.ts'
import { dumpSchema } from './schema-dump.ts'
import { sentDuring, statementText } from './statements.ts'
import { tablesSource } from './tables-source.ts'
import { listen, startHost } from './workspace.ts'

const api = new URL('../', import.meta.url)
const host = await startHost()

test('schema.sql is what the migrations add up to', async () => {
  assertGolden(new URL('schema.sql', api), await dumpSchema(host.sql))
})

test('tables.ts has a type for every table', async () => {
  assertGolden(new URL('src/storage/tables.ts', api), await tablesSource(host.url))
})

test('queries.sql shows every statement we send', async () => {
  const sections: string[] = []
  const seen = new Set<string>()
  const section = async (title: string, work: () => Promise<unknown>) => {
    const fresh = (await sentDuring(work)).map(statementText).filter((text) => !seen.has(text))
    for (const text of fresh) seen.add(text)
    const distinct = [...new Set(fresh)]
    if (distinct.length > 0) sections.push([`-- ${title}`, ...distinct].join('\n'))
  }

  await section('a service that starts', () => listen(host.url))
  await section('the first cursor of a service', () => host.owner.ask(selectCursorSecret))
  await section('the seed story, by way of the domain', () => seed(host.owner))
  const workspaceId = await findWorkspace(host.owner, storyWorkspace)
  const admin = administrator(host.owner, workspaceId)
  const { manager: token } = await makeDemoKeys(host.owner, workspaceId)
  const manager = new Client(host.base, token)
  const wish = { name: 'Golden', scopes: [], expiresInHours: null }
  await section('administration: find, make, list and revoke', async () => {
    await findWorkspace(host.owner)
    const { id } = await createKey(admin, wish)
    await everyKey(admin)
    await revokeKey(admin, id)
    await revokeKey(admin, id)
    await addGroup(admin, { name: 'Golden', member_user_ids: [], lead_user_ids: [] })
  })
  await section(
    'every request: who is asking; and now and then, that the key was used',
    async () => {
      // It asks for nothing else, so that what is sent beside has its place in the order.
      await manager.get('/v1/scale')
      await sleep(300)
    },
  )
  await section('who someone is, and what the workspace holds', () => manager.get('/v1/whoami'))
  await section('the console: signing in, and out', async () => {
    await (await signIn(host.base, token)).send('DELETE', '/session')
  })
  const people = await manager.get('/v1/personnel')
  const risks = await manager.get('/v1/risks')
  const issues = await manager.get('/v1/issues')
  const groups = await manager.get('/v1/groups')
  const ids = {
    usr: people.body.data.map(({ id }: Json) => id),
    grp: groups.body.data.map(({ id }: Json) => id),
    prj: [...new Set<string>(risks.body.data.map(({ project_id }: Json) => project_id))],
    rsk: risks.body.data.map(({ id }: Json) => id),
    iss: issues.body.data.map(({ id }: Json) => id),
  }
  const headers = { 'idempotency-key': 'golden' }
  const person = {
    name: 'G',
    email: 'g@example.com',
    external_id: 'g',
    manager_user_id: ids.usr[0],
  }
  await section('personnel.create, with an Idempotency-Key', () =>
    manager.post('/v1/personnel', person, headers),
  )
  const scene = await setScene(manager, 'golden')
  for (const { name, operation } of everyOperation()) {
    // Each on a scene of its own: what was archived or closed would refuse the next.
    const own = await setSceneFor(manager, operation, 'golden')
    const path = own.fill(operation.path)
    const body = exampleFor(operation, own)
    const { token: single } = await createKey(admin, { ...wish, name })
    const sender = endsItsKey(operation) ? new Client(host.base, single) : manager
    await section(name, async () => {
      const reply = await sender.send(operation.method, path, { body })
      assert.ok(reply.status < 300, `${name}: ${reply.text}`)
    })
  }
  await section('a new appetite, and a risk that is said to have occurred again', async () => {
    const path = scene.fill('/v1/projects/{project_id}')
    await manager.send('PATCH', path, { body: { risk_appetite: 3 } })
    const own = await setScene(manager, 'golden')
    const occur = own.fill('/v1/projects/{project_id}/risks/{risk_id}/occur')
    await manager.post(occur, {})
    await manager.post(occur, {})
  })
  await section('erasing someone of whom an answer is kept for repetition', async () => {
    const kept = await manager.post('/v1/personnel', person, headers)
    await manager.post(`/v1/personnel/${kept.body.id}/depart`, {})
    await manager.post(`/v1/personnel/${kept.body.id}/erase`, { confirm: kept.body.id })
  })
  await section('another manager, and another lead', async () => {
    const body = { manager_user_id: scene.colleague }
    await manager.send('PATCH', scene.fill('/v1/personnel/{user_id}'), { body })
    const group = scene.fill('/v1/groups/{group_id}')
    await manager.send('PUT', `${group}/members/${scene.colleague}`)
    await manager.send('PATCH', group, { body: { lead_user_ids: [scene.colleague] } })
  })
  await section('include=people, include=summary, and summaries that are counted', async () => {
    await manager.get('/v1/risks?include=people')
    await manager.get('/v1/projects?include=summary')
    for (const noun of ['risks', 'issues']) {
      await manager.get(`/v1/${noun}/summary?q=xx`)
      await manager.get(`/v1/${noun}/summary?project_id=${ids.prj[0]}`)
      await manager.get(`/v1/${noun}/summary?project_id=${ids.prj.slice(0, 2).join(',')}`)
    }
  })
  await section('a key that is refused, and one that is about to expire', async () => {
    const { id, token: single } = await createKey(admin, { ...wish, expiresInHours: 48 })
    const { token: gone } = await createKey(admin, { ...wish, expiresInHours: 0 })
    await new Client(host.base, gone).get('/v1/scale')
    await sleep(300)
    await manager.post(`/v1/keys/${id}/rotate`, {}).then(({ status }) => assert.equal(status, 201))
    assert.equal((await new Client(host.base, single).get('/v1/scale')).status, 200)
    await createKey(admin, { ...wish, expiresInHours: 48 })
  })
  await section('another time zone', async () => {
    const body = { time_zone: 'Europe/Stockholm' }
    await manager.send('PATCH', '/v1/workspace', { body })
  })
  await section('sweeping', async () => {
    const pool = createPool({ url: host.url, role: 'muster_app', max: 2 })
    await using service = new Database(pool)
    const sweeper = new Sweeper(service)
    await sweeper.sweep()
    await sweeper.stop()
  })
  const { project_id, risk_id, issue_id } = scene.ids
  const own = {
    ...ids,
    prj: [project_id ?? '', ...ids.prj],
    rsk: [risk_id ?? '', ...ids.rsk],
    iss: [issue_id ?? '', ...ids.iss],
  }
  await section('summaries of a project, filtered further', async () => {
    const query = { project_id: own.prj.slice(0, 1), q: 'xx' }
    await summarizeRegister(admin, query)
    await summarizeOpenIssues(admin, query)
  })
  for (const { name, query } of listVariants(own)) {
    const [list] = name.split(' ')
    if (list === 'risks.list')
      await section(`summary of ${name}`, () => summarizeRegister(admin, query))
    if (list === 'issues.list') {
      await section(`summary of ${name}`, () => summarizeOpenIssues(admin, query))
      // A span of days ends its lanes in another way, whichever filter leads.
      const spanned = { ...query, opened_from: '2024-11-01' }
      await section(`summary of ${name}, from a day on`, () => summarizeOpenIssues(admin, spanned))
    }
  }
  for (const { name, listing } of listCombinations(own)) {
    const list = listing(admin)
    await section(`${name}, first page`, () => list.page({ after: null, limit: 3, countMax: 10 }))
    const { next } = await list.page({ after: null, limit: 1, countMax: null })
    await section(`${name}, next page`, () => list.page({ after: next, limit: 3, countMax: null }))
  }
  await section('workspaces: list, suspend, resume, export, delete; and a new epoch', async () => {
    const { id } = await foundWorkspace(host.owner, 'Golden')
    const other = administrator(host.owner, id)
    await pickWorkspace(host.owner, id)
    await everyWorkspace(host.owner)
    await suspendWorkspace(other)
    await resumeWorkspace(other)
    await exportWorkspace(admin, async () => {})
    const { as_of } = await exportWorkspace(other, async () => {})
    await isBeingRemoved(host.owner, id)
    await closeForGood(other, as_of)
    await removeRows(other, () => {})
    await host.owner.ask((db) => updateEpoch(db, 'golden'))
  })
  assertGolden(new URL('queries.sql', api), `${sections.join('\n\n')}\n`)
})
