import assert from 'node:assert/strict'
import { test } from 'node:test'

import { demoWorkspace, seed } from '@muster/api/seed'

import { administrator } from '#domain/engine/caller'
import type { ListPageTexts, PageRequest } from '#domain/engine/listing'
import { readPageTexts } from '#domain/engine/page-texts'
import { RowTexts } from '#domain/engine/row-texts'
import { WorkspaceMemory } from '#domain/engine/workspace-memory'
import { listRegister, registerFilter } from '#domain/projects/register'
import { updateRisk } from '#domain/projects/risks'
import { findWorkspace } from '#domain/workspace/workspaces'
import { rollupList } from '#storage/lists/rollup'
import { register } from '#storage/nouns/register'
import { updateEpoch } from '#storage/numbers/counters'
import type { Position } from '#storage/statements/keyset'
import { View } from '#storage/statements/view'
import { encodeId, uuidOf } from '#storage/values/id'
import { type Ids, listCombinations, type ListVariant, listVariants } from '#test/contract/lists'
import { requireVersions } from '#test/support/row-versions'
import { isLong } from '#test/support/size'
import { sentDuring } from '#test/support/statements'
import { startHost } from '#test/support/workspace'

const host = await startHost()
await seed(host.owner)
const admin = administrator(host.owner, await findWorkspace(host.owner, demoWorkspace))
const newTexts = () => new RowTexts(new WorkspaceMemory(64 * 1024 ** 2))

/** Related ids: the items are of the first project. */
async function knownIds(): Promise<Ids> {
  const first = async (prefix: string, from: string) => {
    const select = `select id from ${from} order by id limit 2`
    const { rows } = await host.sql.query<{ id: string }>(select)
    return rows.map(({ id }) => encodeId(prefix, id))
  }
  const prj = await first('prj', 'projects')
  const here = `where project_id = '${uuidOf(prj[0] ?? '')}'`
  return {
    usr: await first('usr', 'people'),
    grp: await first('grp', 'groups'),
    prj,
    rsk: await first('rsk', `risks ${here}`),
    iss: await first('iss', `issues ${here}`),
  }
}

const ids = await knownIds()

/** Compares a page of rows with the same page from texts. */
async function compare(
  { name, listing }: ListVariant,
  texts: RowTexts,
  request: PageRequest,
): Promise<{ next: Position | null; isKnown: boolean }> {
  const list = listing({ ...admin, rowTexts: texts })
  const { items, ...page } = await list.page(request)
  const known = await list.pageTexts(request)
  if (known === null) return { next: page.next, isKnown: false }
  const { texts: found, ...rest } = known
  assert.deepEqual(rest, page, name)
  assert.deepEqual(
    found,
    items.map((item) => JSON.stringify(item)),
    name,
  )
  return { next: page.next, isKnown: true }
}

/** The lists whose items depend on their rows, and on names that are in memory. */
const listsOfRows = [
  'groups.list',
  'issues.list',
  'issues.list_closed',
  'personnel.list',
  'projects.list',
  'risks.list',
  'risks.list_closed',
  'tasks.list',
]

test('a page from the texts of its rows equals the page', async (t) => {
  const texts = newTexts()
  const known = new Set<string>()
  for (const variant of isLong ? listCombinations(ids) : listVariants(ids)) {
    let after: Position | null = null
    do {
      const { next, isKnown } = await compare(variant, texts, { after, limit: 7, countMax: null })
      if (isKnown) known.add(variant.name.split(' ')[0] ?? '')
      after = next
    } while (after !== null)
  }
  const { hits, misses } = texts.counts
  t.diagnostic(`${hits} rows from memory, ${misses} not`)
  assert.deepEqual([...known].toSorted(), listsOfRows)
  assert.ok(hits > misses, `${hits} rows from memory, ${misses} not`)
})

const first = { after: null, limit: 20, countMax: null }

/** Reads the first page of the register, and counts the statements. */
async function readRegister(rowTexts: RowTexts) {
  const list = listRegister({ ...admin, rowTexts }, {})
  let found: ListPageTexts | null = null
  const sent = await sentDuring(async () => (found = await list.pageTexts(first)))
  const { items } = await list.page(first)
  return { found: found as ListPageTexts | null, items, statements: sent.length }
}

test('a known page is two statements; a changed row is read by its id', async () => {
  const texts = newTexts()
  await readRegister(texts)
  const { statements, items } = await readRegister(texts)
  assert.equal(statements, 2)
  const { id = '', project_id: projectId = '' } = items[3] ?? {}
  await updateRisk(admin, { projectId, id }, { title: 'Another title' })
  const misses = texts.counts.misses
  const changed = await readRegister(texts)
  assert.equal(texts.counts.misses - misses, 1)
  assert.match(changed.found?.texts[3] ?? '', /Another title/)
})

test('names that another request replaces in memory are those of the snapshot', async () => {
  const list = rollupList(register, registerFilter(View.all, {}))
  const readAddition = async () => () => ({ isAdded: true })
  const source = { list, item: (risk: object) => risk, addition: () => null, readAddition }
  const caller = { ...admin, rowTexts: newTexts() }
  for (let time = 0; time < 3; time++) {
    const found = await readPageTexts(caller, source, { after: null, limit: 3 })
    assert.equal(found?.texts.length, 3)
    for (const text of found?.texts ?? []) assert.match(text, /,"isAdded":true\}$/)
  }
})

test('a text of another server or epoch is not used', async () => {
  const texts = newTexts()
  await readRegister(texts)
  await readRegister(texts)
  const { hits } = texts.counts
  await host.owner.ask((db) => updateEpoch(db, 'renewed'))
  const { found, items } = await readRegister(texts)
  assert.equal(texts.counts.hits, hits)
  assert.deepEqual(
    found?.texts,
    items.map((item) => JSON.stringify(item)),
  )
})

test('the check of versions refuses a change without one', async () => {
  await requireVersions(host.sql)
  const entered = `set local role muster_owner; set local app.ws = '${uuidOf(admin.workspaceId)}'`
  const change = (of: string) =>
    host.sql.query(`begin; ${entered}; update risks set ${of}; rollback`)
  await assert.rejects(change(`title = 'x'`), /title of risks changed without its version/)
  await host.sql.query('rollback')
  await change(`title = 'x', version = version + 1`)
})
