import assert from 'node:assert/strict'

import { grantedLookups, isList, lookupColumnsOf, scopes } from '@muster/contract'

import type { administrator } from '#domain/engine/caller'
import { RowTexts } from '#domain/engine/row-texts'
import { WorkspaceMemory } from '#domain/engine/workspace-memory'
import { summarizeOpenIssues } from '#domain/projects/open-issues'
import { summarizeRegister } from '#domain/projects/register'
import { summarizeTasks } from '#domain/projects/tasks'
import { View } from '#storage/statements/view'
import { Client } from '#test/support/client'
import { keyOperations } from '#test/support/operations'

import { type Ids, listCombinations, listingOf, listVariants } from './lists.ts'

interface Golden {
  readonly admin: ReturnType<typeof administrator>
  readonly manager: Client
  readonly ids: Ids
  readonly section: (title: string, work: () => Promise<unknown>) => Promise<void>
}

/** Every list and summary for a key that is bound to few projects, and to many. */
export async function readAsBoundKeys({ admin, manager, ids, section }: Golden): Promise<void> {
  const projects = ids['prj'] ?? []
  await section('a key that is bound to projects', async () => {
    const input = { name: 'Bound', scopes: ['projects.read'], project_ids: projects.slice(0, 2) }
    const made = await manager.post('/v1/keys', input)
    assert.equal(made.status, 201)
    const client = new Client(manager.base, made.body.secret)
    // Beginnings of many words, so that each noun is found.
    for (const q of ['a', 'd', 's']) await client.get(`/v1/search?limit=50&q=${q}`)
    await client.get('/v1/changes?since=0')
  })
  await section('the scores of risks', () => manager.get('/v1/risks?include=scores&limit=1'))
  for (const count of [2, 6]) {
    assert.ok(projects.length >= count)
    const bound = { ...admin, view: View.listed(projects.slice(0, count)) }
    for (const { name, listing } of listCombinations(ids)) {
      const list = listing({ ...bound, rowTexts: new RowTexts(new WorkspaceMemory(1e6)) })
      await section(`${name}, in ${count} projects`, async () => {
        await list.page({ after: null, limit: 1, countMax: 10 })
        for (const limit of [1, 1, 2]) await list.pageTexts({ after: null, limit, countMax: null })
      })
    }
    await section(`summaries in ${count} projects`, async () => {
      for (const { name, query } of listVariants(ids)) {
        const [list] = name.split(' ')
        if (list === 'risks.list') await summarizeRegister(bound, query)
        if (list === 'issues.list') await summarizeOpenIssues(bound, query)
      }
      await summarizeTasks(bound, {})
      await summarizeTasks(bound, { assignee_user_id: ['none'] })
    })
    for (const { name, operation } of keyOperations()) {
      if (!isList(operation) || operation.scope !== 'projects.read') continue
      const list = listingOf(name, operation, ids)(bound, {})
      const lookups = grantedLookups(lookupColumnsOf(operation.item), scopes)
      await section(`${name} in ${count} projects, with lookup columns`, () =>
        list.all(async () => {}, { lookups }),
      )
    }
  }
}
