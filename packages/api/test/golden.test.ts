import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { makeDemoKeys, seed, storyWorkspace } from '@muster/api/seed'
import { everyOperation } from '@muster/contract'

import { administrator } from '#domain/caller'
import { addGroup } from '#domain/groups'
import { createKey, identifyKey, listKeys, revokeKey } from '#domain/keys'
import { findWorkspace } from '#domain/workspaces'

import { Client, type Json } from './client.ts'
import { assertGolden } from './golden.ts'
import { listCombinations } from './lists.ts'
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
  await section('the seed story, by way of the domain', () => seed(host.owner))
  const workspaceId = await findWorkspace(host.owner, storyWorkspace)
  const admin = administrator(host.owner, workspaceId)
  const { manager: token } = await makeDemoKeys(host.owner, workspaceId)
  const manager = new Client(host.base, token)
  await section('administration: find, make, list and revoke', async () => {
    await findWorkspace(host.owner)
    const wish = { name: 'Golden', scopes: [], expiresInHours: null }
    const { id, token: secret } = await createKey(admin, wish)
    await identifyKey(host.owner, secret)
    await listKeys(admin)
    await revokeKey(admin, id)
    await revokeKey(admin, id)
    await addGroup(admin, { name: 'Golden', member_user_ids: [], lead_user_ids: [] })
  })
  await section(
    'every request: who is asking; and now and then, that the key was used',
    async () => {
      await manager.get('/v1/whoami')
      await sleep(300)
    },
  )
  const people = await manager.get('/v1/personnel')
  const risks = await manager.get('/v1/risks')
  const ids = {
    usr: people.body.data.map(({ id }: Json) => id),
    prj: [...new Set<string>(risks.body.data.map(({ project_id }: Json) => project_id))],
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
  for (const { name, operation } of everyOperation()) {
    if (operation.method !== 'GET') continue
    const path = operation.path.replace('{user_id}', ids.usr[0])
    await section(name, () => manager.get(path))
  }
  for (const { name, listing } of listCombinations(ids)) {
    const list = listing(admin)
    await section(`${name}, first page`, () => list.page({ after: null, limit: 3, countMax: 10 }))
    const { next } = await list.page({ after: null, limit: 1, countMax: null })
    await section(`${name}, next page`, () => list.page({ after: next, limit: 3, countMax: null }))
  }
  assertGolden(new URL('queries.sql', api), `${sections.join('\n\n')}\n`)
})
