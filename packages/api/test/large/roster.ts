import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits } from '@muster/contract'

import { listAssignments } from '#domain/handover/assignments'
import { departPerson } from '#domain/handover/departures'
import { reassignWork } from '#domain/handover/handover'
import { addGroup, archiveGroup, restoreGroup, updateGroup } from '#domain/people/groups'
import { addMember, changeMembers, removeMember } from '#domain/people/members'
import {
  erasePerson,
  rejoinPerson,
  resumePerson,
  suspendPerson,
} from '#domain/people/person-lifecycle'
import {
  addPerson,
  listPersonnel,
  type PersonnelQuery,
  updatePerson,
} from '#domain/people/personnel'
import { batchPersonnel } from '#domain/people/personnel-batch'
import { addIssue } from '#domain/projects/issues'
import { archiveProject } from '#domain/projects/project-archive'
import { addProject } from '#domain/projects/projects'
import { addRisk } from '#domain/projects/risks'
import { addTask } from '#domain/projects/tasks'
import { textKey } from '#storage/nouns/personnel'
import { fold, sortName } from '#storage/values/fold'
import { sentDuring } from '#test/support/statements'

import { intendedPlanOf } from './plan.ts'
import {
  assertBound,
  assertByKey,
  assertPages,
  buffersMax,
  distinct,
  isChange,
  isRead,
  type Large,
  indexRangesOf,
  probe,
  rowsOf,
} from './plans.ts'
import { testSearch } from './search.ts'
import { full, scale } from './spread.ts'

const list = 'personnel.list'

/** Tests of the people and groups of a workspace at its limits. */
export function testRoster(large: Large): void {
  testRows(large)
  testOrders(large)
  testTotals(large)
  testSearch(large)
  testWrites(large)
}

/** The generated rows must equal those that the service writes. */
function testRows({ host, home }: Large): void {
  test('the people of the large tables equal those that the service writes', async () => {
    const { rows } = await host.sql.query(
      `with known as (select * from people where workspace_id = $1 order by id limit 100),
         joined as (
           select user_id as id, array_agg(group_id order by group_id) as joined from memberships
           where workspace_id = $1 and user_id in (select id from known) group by user_id)
       select known.*, coalesce(joined, '{}') as joined from known left join joined using (id)`,
      [home.uuid],
    )
    assert.equal(rows.length, 100)
    for (const row of rows) {
      assert.equal(row.search_text, fold(`${row.name} ${row.email}`))
      assert.equal(row.sort_name, sortName(row.name))
      assert.equal(row.title_key, textKey(row.title))
      assert.equal(row.department_key, textKey(row.department))
      assert.deepEqual(row.joined, row.group_ids)
    }
  })

  test('the groups of the large tables count their members', async () => {
    const { rows } = await host.sql.query(
      `select count(*)::integer as groups, max(member_count) as most,
         count(*) filter (where member_count <> (
           select count(*) from memberships
           where workspace_id = groups.workspace_id and group_id = groups.id))::integer as wrong
       from groups where workspace_id = $1 and id < (select id from groups
         where workspace_id = $1 order by id offset 500 limit 1)`,
      [home.uuid],
    )
    assert.deepEqual(rows, [{ groups: 500, most: full.people, wrong: 0 }])
  })
}

/** The orders by title and department sort the rows that the filter leaves. */
const isIndexed = (sort: string) => !/title|department/.test(sort)

/** Each filter in each order with an index, including values that match no row. */
function testOrders({ caller, plansOf, variants }: Large): void {
  // The cast holds because these are the queries of the roster.
  const queries = variants
    .filter(({ name }) => name.startsWith(list))
    .map(({ name, parameter, query }) => ({ name, parameter, query: query as PersonnelQuery }))
  const sorts = queries.flatMap(({ query }) => query.sort ?? []).filter(isIndexed)
  const filters = queries.filter(({ parameter }) => !['', 'q', 'sort'].includes(parameter))
  const none = ['title', 'department'].map((name) => ({
    name: `${list} {"${name}":"none"}`,
    query: { [name]: 'none' },
  }))
  for (const { name, query } of [...filters, ...none]) {
    test(`${name}: a page reads few buffers in every order, first and deep`, async (t) => {
      for (const sort of sorts) {
        const most = (indexRanges: number) => buffersMax(list, query, indexRanges)
        const bound = { rows: rowsOf(list), most }
        const listing = listPersonnel(caller, { ...query, sort })
        t.diagnostic(`${sort}: ${await assertPages(plansOf, listing, bound)}`)
      }
    })
  }
}

function testTotals({ caller, plansOf, variants }: Large): void {
  test('the total of a filter of the roster is counted up to its limit', async (t) => {
    const countMax = limits.totalCountMax * scale
    for (const { name, parameter, query, listing } of variants) {
      if (!name.startsWith(list) || ['', 'sort', 'q', 'status'].includes(parameter)) continue
      const ask = { after: null, limit: 1, countMax }
      const sent = await sentDuring(() => listing(caller).page(ask))
      const counting = sent.filter(({ sql }) => sql.includes('count(*)'))
      assert.equal(counting.length, 1, name)
      const plans = await plansOf(counting)
      for (const plan of plans) {
        const each = (indexRangesOf(plan.statement) ?? 1) * countMax
        assertBound(plan, 200 + each * ('group_id' in query ? probe + 1 : 1))
      }
      t.diagnostic(`${name}: ${Math.max(...plans.map(({ buffers }) => buffers))} buffers`)
    }
  })
}

const stamp = process.hrtime.bigint().toString(36).slice(-8)

/** Assigns one item of every kind to a person. */
async function addWork(caller: Large['caller'], userId: string): Promise<string> {
  const owner = { owner_user_id: userId }
  const { id } = await addProject(caller, {
    code: `H${stamp.toUpperCase()}`,
    name: 'Held',
    ...owner,
  })
  await addRisk(caller, id, { title: 'Held', likelihood: 1, impact: 1, ...owner })
  await addIssue(caller, id, { title: 'Held', severity: 1, assignee_user_id: userId })
  await addTask(caller, id, { title: 'Held', assignee_user_id: userId })
  return id
}

/** The statements of every kind of write to the roster. */
async function sentByWrites({ caller }: Large) {
  const first = { after: null, countMax: null }
  const newest = listPersonnel(caller, { sort: '-created_at', status: ['active'] })
  const { items: people } = await newest.page({ ...first, limit: 3 })
  const [heir = '', manager = '', other = ''] = people.map(({ id }) => id)
  return sentDuring(async () => {
    const input = { name: 'Vera Late', email: `vera.${stamp}@example.com`, title: 'Planner' }
    const { id } = await addPerson(caller, { ...input, manager_user_id: manager })
    await updatePerson(caller, { userId: id }, { name: 'Vera Later', manager_user_id: other })
    const { data } = await batchPersonnel(caller, {
      data: [
        { id, department: 'Civil works', manager_user_id: manager },
        { name: 'Otto Late', external_id: `otto-${stamp}` },
      ],
    })
    const second = data.at(-1)?.id ?? ''
    await batchPersonnel(caller, {
      match: 'external_id',
      data: [{ external_id: `otto-${stamp}`, title: 'Planner', manager_email: input.email }],
    })
    const group = await addGroup(caller, { name: `Late ${stamp}`, member_user_ids: [id] })
    await changeMembers(caller, group.id, { add: [second], remove: [id] })
    await addMember(caller, { groupId: group.id, userId: id })
    await removeMember(caller, { groupId: group.id, userId: second })
    await updateGroup(caller, group.id, { lead_user_ids: [id] })
    await suspendPerson(caller, id, {})
    await resumePerson(caller, id, {})
    await departPerson(caller, second, {})
    await rejoinPerson(caller, second, {})
    const projectId = await addWork(caller, id)
    const { items: work } = await listAssignments(caller, id).page({ ...first, limit: 10 })
    const items = work.map((item) => ({ type: item.type, id: item.id, to_user_id: manager }))
    assert.equal(items.length, 4)
    await reassignWork(caller, id, { items })
    await reassignWork(caller, manager, {
      items: items.map((item) => ({ ...item, to_user_id: id })),
    })
    await reassignWork(caller, id, { to_user_id: heir })
    await archiveProject(caller, projectId, { if_live_items: 'close' })
    for (const leaving of [id, second]) {
      await departPerson(caller, leaving, {})
      await erasePerson(caller, leaving, { confirm: leaving })
    }
    await archiveGroup(caller, group.id)
    await restoreGroup(caller, group.id)
    await archiveGroup(caller, group.id)
  })
}

/** The check for a reporting cycle reads one row per level, of six levels. */
const writeMax = 8 * probe

function testWrites(large: Large): void {
  const { host, home, plansOf } = large
  test('a write to the roster reads and locks rows by key', async (t) => {
    const roomier = ['people', 'groups', 'projects', 'live_risks', 'open_issues', 'open_tasks']
    await host.sql.query(
      `update workspace_counters set ${roomier.map((name) => `${name}_max = ${name}_max + 10`).join()}
       where workspace_id = $1`,
      [home.uuid],
    )
    const sent = await sentByWrites(large)
    const reads = distinct(sent.filter(isRead).filter(({ sql }) => !sql.includes('advisory')))
    assert.ok(reads.length > 20)
    const plans = await plansOf(reads)
    for (const plan of plans) assertBound(plan, writeMax)
    const most = Math.max(...plans.map(({ buffers }) => buffers))
    t.diagnostic(`${reads.length} reads, of at most ${most} buffers`)
    const changes = distinct(sent.filter(isChange))
    assert.ok(changes.length > 20)
    for (const plan of await plansOf(changes, intendedPlanOf)) assertByKey(plan)
    t.diagnostic(`${changes.length} writes`)
  })
}
