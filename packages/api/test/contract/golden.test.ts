import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { makeDemoKeys, seed, demoWorkspace } from '@muster/api/seed'
import { isList } from '@muster/contract'

import { createKey, listAllKeys, revokeKey } from '#domain/auth/keys'
import { administrator } from '#domain/engine/caller'
import { RowTexts } from '#domain/engine/row-texts'
import { WorkspaceMemory } from '#domain/engine/workspace-memory'
import { addGroup } from '#domain/people/groups'
import { summarizeOpenIssues } from '#domain/projects/open-issues'
import { summarizeRegister } from '#domain/projects/register'
import { summarizeTasks } from '#domain/projects/tasks'
import { exportWorkspace } from '#domain/workspace/export'
import { Sweeper } from '#domain/workspace/sweep'
import {
  closeWorkspace,
  isBeingRemoved,
  removeRows,
  resumeWorkspace,
  suspendWorkspace,
} from '#domain/workspace/workspace-lifecycle'
import {
  everyWorkspace,
  findWorkspace,
  createWorkspace,
  pickWorkspace,
} from '#domain/workspace/workspaces'
import { createPool } from '#storage/connection/pool'
import { selectJobQueues } from '#storage/inspect/job-queues'
import { selectTableSizes } from '#storage/inspect/table-sizes'
import { selectCatalog } from '#storage/migration/catalog'
import { updateEpoch } from '#storage/numbers/counters'
import { OldTerms } from '#storage/numbers/old-terms'
import type { Position } from '#storage/statements/keyset'
import { Database } from '#storage/transaction/database'
import { signIn } from '#test/auth/browser'
import { exerciseProvider } from '#test/auth/provider/provider-exercise'
import { dumpSchema } from '#test/database/schema-dump'
import { tablesSource } from '#test/database/tables-source'
import { assignWork } from '#test/nouns/assigned-work'
import { Client, type Json } from '#test/support/client'
import { revokesOwnKey, exampleFor, createFixture, createFixtureFor } from '#test/support/fixture'
import { longTimeouts } from '#test/support/long-timeouts'
import { keyOperations } from '#test/support/operations'
import { requireVersions } from '#test/support/row-versions'
import { sentDuring, statementText } from '#test/support/statements'
import { sweepDue } from '#test/support/sweep'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

import { sendDepartures } from './golden-departures.ts'
import { importElsewhere } from './golden-import.ts'
import { readEvents, sendMatched, sendSearches } from './golden-matches.ts'
import { readPast } from './golden-past.ts'
import { sendAsPeople } from './golden-people.ts'
import { readAsBoundKeys } from './golden-views.ts'
import { assertGolden } from './golden.ts'
import { listCombinations, listVariants } from './lists.ts'

const api = new URL('../../', import.meta.url)
const host = await startHost()

test('schema.sql matches the migrations', async () => {
  assertGolden(new URL('schema.sql', api), await dumpSchema(host.sql))
})

test('tables.ts has a type for every table', async () => {
  assertGolden(new URL('src/storage/schema/tables.ts', api), await tablesSource(host.url))
})

test('queries.sql lists every statement of the service', async () => {
  await requireVersions(host.sql)
  const sections: string[] = []
  const seen = new Set<string>()
  const section = async (title: string, work: () => Promise<unknown>) => {
    const fresh = (await sentDuring(work)).map(statementText).filter((text) => !seen.has(text))
    for (const text of fresh) seen.add(text)
    const distinct = [...new Set(fresh)]
    if (distinct.length > 0) sections.push([`-- ${title}`, ...distinct].join('\n'))
  }

  await section('service start', () => listen(host.url))
  await section('service start on a database without migration checksums', () =>
    host.owner.ask(selectCatalog),
  )
  await section('metrics: the jobs of each queue', () => host.owner.ask(selectJobQueues))
  await section('metrics, at most once a minute: the sizes of the tables', () =>
    host.owner.ask(selectTableSizes),
  )
  await section('seed data, through the domain', () => seed(host.owner))
  const workspaceId = await findWorkspace(host.owner, demoWorkspace)
  const admin = administrator(host.owner, workspaceId)
  const { manager: token } = await makeDemoKeys(host.owner, workspaceId)
  const manager = new Client(host.base, token)
  const keyInput = { name: 'Golden', scopes: [], expiresInHours: null }
  await section('administration: find, create, list and revoke', async () => {
    await findWorkspace(host.owner)
    const { id } = await createKey(admin, keyInput)
    await listAllKeys(admin)
    await revokeKey(admin, id)
    await revokeKey(admin, id)
    await addGroup(admin, { name: 'Golden', member_user_ids: [], lead_user_ids: [] })
  })
  await section(
    'every request: authentication; at most once a minute: last use of the key',
    async () => {
      // It sends nothing else, so that background statements have a fixed order.
      await manager.get('/v1/scale')
      await sleep(300)
    },
  )
  await section('whoami: the key, and the usage of the workspace', () => manager.get('/v1/whoami'))
  await section('an ETag of a number that is older than the terms of the counters', () => {
    const terms = { epoch: '', server: '', isTermDue: false, terms: ['x'], firsts: [9] }
    return new OldTerms(host.owner).add({ workspaceId }, terms, [1, 2])
  })
  await section('console: sign-in and sign-out', async () => {
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
  await section('personnel.create with an Idempotency-Key', () =>
    manager.post('/v1/personnel', person, headers),
  )
  const fixture = await createFixture(manager, 'golden')
  for (const { name, operation } of keyOperations()) {
    // Each on its own fixture: an archived or closed item would refuse the next operation.
    const own = await createFixtureFor(manager, operation, 'golden')
    const path = own.fill(operation.path)
    const body = exampleFor(operation, own)
    const { token: single } = await createKey(admin, { ...keyInput, name })
    const sender = revokesOwnKey(operation) ? new Client(host.base, single) : manager
    await section(name, async () => {
      const reply = await sender.send(operation.method, path, { body })
      assert.ok(reply.status < 300, `${name}: ${reply.text}`)
    })
  }
  await sendAsPeople({ host, home: await newWorkspace(host), section })
  await section('a changed risk appetite, and a repeated occurrence of a risk', async () => {
    const path = fixture.fill('/v1/projects/{project_id}')
    await manager.send('PATCH', path, { body: { risk_appetite: 3 } })
    const own = await createFixture(manager, 'golden')
    const occur = own.fill('/v1/projects/{project_id}/risks/{risk_id}/occur')
    await manager.post(occur, {})
    await manager.post(occur, {})
  })
  await section('erasure of a person with a stored idempotent response', async () => {
    const kept = await manager.post('/v1/personnel', person, headers)
    await manager.post(`/v1/personnel/${kept.body.id}/depart`, {})
    await manager.post(`/v1/personnel/${kept.body.id}/erase`, { confirm: kept.body.id })
  })
  await section('a changed manager, and a changed lead', async () => {
    const body = { manager_user_id: fixture.colleague }
    await manager.send('PATCH', fixture.fill('/v1/personnel/{user_id}'), { body })
    const group = fixture.fill('/v1/groups/{group_id}')
    await manager.send('PUT', `${group}/members/${fixture.colleague}`)
    await manager.send('PATCH', group, { body: { lead_user_ids: [fixture.colleague] } })
  })
  await section('batches whose rows have no ids', () => sendMatched(manager, fixture))
  await section('searches', () => sendSearches(manager))
  await section('events', () => readEvents(manager))
  await section('changes of several rows of a table at once', async () => {
    const { manager: sender, make, reassign, ada, bo, projects } = await assignWork(host)
    for (const name of ['One', 'Two']) await make('/v1/groups', { name, member_user_ids: [ada] })
    await reassign(ada, { to_user_id: bo })
    await make(`/v1/personnel/${ada}/depart`, {})
    const here = `/v1/projects/${projects[0]?.id}`
    const acceptance = { accepted_by_user_id: bo, expires_on: '2999-12-31', rationale: 'Cheap' }
    for (const { id } of (await sender.get(`${here}/risks`)).body.data) {
      await make(`${here}/risks/${id}/accept`, acceptance)
    }
    await make(`${here}/archive`, { if_live_items: 'close' })
  })
  await section('include=people, keys and summary, and counted summaries', async () => {
    await manager.get('/v1/risks?include=people')
    await manager.get(fixture.fill('/v1/personnel/{user_id}/history?include=keys'))
    await manager.get('/v1/projects?include=summary')
    await manager.get(`/v1/tasks/summary?assignee_user_id=none`)
    for (const noun of ['risks', 'issues', 'tasks']) {
      if (noun !== 'tasks') await manager.get(`/v1/${noun}/summary?q=xx`)
      await manager.get(`/v1/${noun}/summary?project_id=${ids.prj[0]}`)
      await manager.get(`/v1/${noun}/summary?project_id=${ids.prj.slice(0, 2).join(',')}`)
    }
  })
  for (const { name, operation } of keyOperations().filter((each) => isList(each.operation))) {
    await section(`${name} as CSV, with lookup columns`, async () => {
      const reply = await manager.get(fixture.fill(operation.path), { accept: 'text/csv' })
      assert.equal(reply.status, 200, name)
    })
  }
  await section('a refused key, and an expiring key', async () => {
    const { id, token: single } = await createKey(admin, { ...keyInput, expiresInHours: 48 })
    const { token: gone } = await createKey(admin, { ...keyInput, expiresInHours: 0 })
    await new Client(host.base, gone).get('/v1/scale')
    await sleep(300)
    await manager.post(`/v1/keys/${id}/rotate`, {}).then(({ status }) => assert.equal(status, 201))
    assert.equal((await new Client(host.base, single).get('/v1/scale')).status, 200)
    await createKey(admin, { ...keyInput, expiresInHours: 48 })
  })
  await section('a changed time zone', async () => {
    const body = { time_zone: 'Europe/Stockholm' }
    await manager.send('PATCH', '/v1/workspace', { body })
  })
  await host.sql.query(
    `update audit_entries set occurred_at = '2020-01-01' where type = 'key.rotated'`,
  )
  await host.sql.query(
    `delete from history where noun = 'task';
     delete from days;
     delete from daily_figures;
     update workspace_counters set has_task_states = false, has_search_documents = false;
     update workspaces set sweep_due_at = '-infinity'`,
  )
  await section('sweeping', async () => {
    const pool = createPool({ url: host.url, role: 'muster_app', max: 2, timeouts: longTimeouts })
    await using service = new Database(pool)
    await sweepDue(new Sweeper(service))
  })
  await section('trends', async () => {
    await manager.get('/v1/trend?include=projects')
    await manager.get(`/v1/trend?project_id=${ids.prj[0]}&include=projects`)
  })
  await sendDepartures({ host, home: await newWorkspace(host), section })
  await section('the audit log in the order of its commits', async () => {
    const { body } = await manager.get('/v1/audit?after=beginning&limit=2')
    assert.equal((await manager.get(`/v1/audit?after=${body.position}`)).status, 200)
  })
  const { project_id, risk_id, issue_id } = fixture.ids
  const own = {
    ...ids,
    prj: [project_id ?? '', ...ids.prj],
    rsk: [risk_id ?? '', ...ids.rsk],
    iss: [issue_id ?? '', ...ids.iss],
  }
  await section('summaries of a project with filters', async () => {
    const query = { project_id: own.prj.slice(0, 1), q: 'xx' }
    await summarizeRegister(admin, query)
    await summarizeOpenIssues(admin, query)
    await summarizeTasks(admin, { project_id: query.project_id, assignee_user_id: ['none'] })
  })
  for (const { name, query } of listVariants(own)) {
    const [list] = name.split(' ')
    if (list === 'risks.list')
      await section(`summary of ${name}`, () => summarizeRegister(admin, query))
    if (list === 'issues.list') {
      await section(`summary of ${name}`, () => summarizeOpenIssues(admin, query))
      // A date range ends index ranges differently, whichever filter leads.
      const spanned = { ...query, opened_from: '2024-11-01' }
      await section(`summary of ${name}, from a date`, () => summarizeOpenIssues(admin, spanned))
    }
  }
  for (const { name, listing } of listCombinations(own)) {
    const list = listing({ ...admin, rowTexts: new RowTexts(new WorkspaceMemory(1e6)) })
    let after: Position | null = null
    await section(`${name}, first page`, async () => {
      after = (await list.page({ after: null, limit: 1, countMax: 10 })).next
    })
    await section(`${name}, next page`, () => list.page({ after, limit: 3, countMax: null }))
    await section(`${name}, of known rows`, async () => {
      for (const limit of [1, 1, 2]) await list.pageTexts({ after: null, limit, countMax: null })
    })
  }
  await readAsBoundKeys({ admin, manager, ids: own, section })
  await readPast({ admin, ids: own, section })
  await section('sign-in with an identity provider', () => exerciseProvider(host))
  await section(
    'workspaces: list, suspend, resume, export, delete, import, new epoch',
    async () => {
      const { id } = await createWorkspace(host.owner, 'Golden')
      const other = administrator(host.owner, id)
      await pickWorkspace(host.owner, id)
      await everyWorkspace(host.owner)
      await suspendWorkspace(other)
      await resumeWorkspace(other)
      await exportWorkspace(admin, async () => {})
      const { as_of } = await exportWorkspace(other, async () => {})
      await isBeingRemoved(host.owner, id)
      await closeWorkspace(other, as_of)
      await removeRows(other, () => {})
      await host.owner.ask((db) => updateEpoch(db, 'golden'))
      await importElsewhere(host.owner, workspaceId)
    },
  )
  assertGolden(new URL('queries.sql', api), `${sections.join('\n\n')}\n`)
})
