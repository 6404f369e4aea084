import assert from 'node:assert/strict'
import { test } from 'node:test'

import { makeDemoKeys, seed } from '@muster/api/seed'
import { isList, type ListOperation } from '@muster/contract'

import { Client, type Json } from '#test/support/client'
import { keyOperations } from '#test/support/operations'
import { startHost } from '#test/support/workspace'

/**
 * Every filter of every list, from the contract: the filtered list has exactly the items that a
 * scan of the list finds. A filter that is documented and ignored fails here.
 */
const host = await startHost()
const { workspaceId } = await seed(host.owner)
const { manager: token } = await makeDemoKeys(host.owner, workspaceId)
const manager = new Client(host.base, token)
const { time_zone: timeZone } = (await manager.get('/v1/workspace')).body
const [risk] = (await manager.get('/v1/risks?flag=above_appetite')).body.data
const [group] = (await manager.get('/v1/groups')).body.data

const everyone = await manager.get('/v1/personnel?status=active,suspended,departed')
const projects = await manager.get('/v1/projects?status=active,planned,on_hold,completed,archived')
const codes = new Map(projects.body.data.map(({ id, code }: Json) => [id, code]))
const emails = new Map(everyone.body.data.map(({ id, email }: Json) => [id, email]))

const ids: Readonly<Record<string, string>> = {
  project_id: risk.project_id,
  risk_id: risk.id,
  group_id: group.id,
  user_id: risk.owner_user_id,
}
const fill = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)

/** The local day of a time, as YYYY-MM-DD. */
const dayOf = (time: string) => new Date(time).toLocaleDateString('sv-SE', { timeZone })

type Field = (item: Json) => Json

/** Whether `none` selects the items without a value. */
const takesNone = ({ query }: ListOperation, filter: string) =>
  JSON.stringify(query.properties[filter]).includes('(?:none|')

/** What a filter compares, where it is not the field of its name. */
const fields: Readonly<Record<string, Field>> = {
  'personnel.list user_id': ({ id }) => id,
  group_id: ({ group_ids }) => group_ids,
  flag: ({ flags }) => flags,
  tag: ({ tags }) => tags,
  accepted: ({ response, flags }) => response === 'accept' && !flags.includes('acceptance_expired'),
  opened_from: ({ opened_at }) => dayOf(opened_at),
  opened_before: ({ opened_at }) => dayOf(opened_at),
  closed_from: ({ closed_at, occurred_at }) => dayOf(closed_at ?? occurred_at),
  closed_before: ({ closed_at, occurred_at }) => dayOf(closed_at ?? occurred_at),
  due_from: ({ due_on }) => due_on,
  due_before: ({ due_on }) => due_on,
  review_from: ({ review_on }) => review_on,
  review_before: ({ review_on }) => review_on,
  project_code: ({ project_id }) => codes.get(project_id),
  owner_email: ({ owner_user_id }) => emails.get(owner_user_id) ?? null,
  assignee_email: ({ assignee_user_id }) => emails.get(assignee_user_id) ?? null,
  accepted_from: ({ accepted_at }) => dayOf(accepted_at),
  accepted_before: ({ accepted_at }) => dayOf(accepted_at),
  score_min: ({ score }) => score,
}

/** How a filter compares, where it is not by equality. */
const comparisons: Readonly<Record<string, (value: Json, wanted: Json) => boolean>> = {
  _from: (value, wanted) => value !== 'none' && value >= wanted,
  _before: (value, wanted) => value !== 'none' && value < wanted,
  _min: (value, wanted) => value >= wanted,
}

/**
 * `q` searches in several fields. Its tests are in search.test.ts, those of points in time in
 * as-of.test.ts.
 */
const points = ['as_of', 'compare']
const others = new Set(['q', 'sort', 'limit', 'cursor', 'include', 'after', 'format', ...points])

const filtersOf = ({ query }: ListOperation) =>
  Object.keys(query.properties).filter((name) => !others.has(name))

function matcher(list: string, filter: string) {
  const valueOf = fields[`${list} ${filter}`] ?? fields[filter] ?? ((item: Json) => item[filter])
  const [, suffix = ''] = /(_from|_before|_min)$/.exec(filter) ?? []
  const isMatch = comparisons[suffix] ?? ((value: Json, wanted: Json) => value === wanted)
  const valuesOf = (item: Json): Json[] => {
    const value = valueOf(item)
    assert.notEqual(value, undefined, `${list} has no field for ${filter}`)
    return [value].flat().map((each) => each ?? 'none')
  }
  return {
    valuesOf,
    scan: (items: Json[], wanted: Json) =>
      items.filter((item) => valuesOf(item).some((value) => isMatch(value, wanted))),
  }
}

const read = async (path: string, query: Record<string, string> = {}): Promise<Json[]> => {
  const { status, body, text } = await manager.get(
    `${path}?${new URLSearchParams(query).toString()}`,
  )
  assert.equal(status, 200, text)
  return body.data
}

/** Sorted, so that an item that is listed twice makes a difference. */
const idsOf = (items: Json[]) =>
  items.map((item): string => item.id ?? JSON.stringify(item)).toSorted()

/** Lists without `status` leave out some statuses. With all of them, they have every item. */
const every = ({ query }: ListOperation): Record<string, string> => {
  const { status } = query.properties as Record<string, Json>
  return status?.items?.enum ? { status: status.items.enum.join(',') } : {}
}

/** The values of the items, and those of an enum that no item has. */
function triedValues(operation: ListOperation, filter: string, found: Json[]): Json[] {
  const { items } = operation.query.properties[filter] as Json
  const values = found.filter((value) => value !== 'none' || takesNone(operation, filter))
  return [...new Set([...spread([...new Set(values)]), ...(items?.enum ?? [])])]
}

for (const { name, operation } of keyOperations()) {
  if (!isList(operation)) continue
  for (const filter of filtersOf(operation)) {
    test(`${name}: ${filter} keeps exactly the items that have the value`, async () => {
      const path = fill(operation.path)
      const given = filter === 'status' ? {} : every(operation)
      const all = await read(path, every(operation))
      const { valuesOf, scan } = matcher(name, filter)
      const values = triedValues(operation, filter, all.flatMap(valuesOf))
      let narrowed = 0
      for (const value of values) {
        const found = idsOf(await read(path, { ...given, [filter]: String(value) }))
        assert.deepEqual(found, idsOf(scan(all, value)), `${filter}=${value}`)
        narrowed += found.length > 0 && found.length < all.length ? 1 : 0
      }
      assert.ok(narrowed > 0, 'no value narrows the list')
      const { maxItems = 1 } = operation.query.properties[filter] as Json
      if (maxItems === 1) return
      const some = values.slice(0, 2)
      assert.equal(some.length, 2, 'the items have two values')
      const found = await read(path, { ...given, [filter]: some.join() })
      const wanted = new Set(some.flatMap((value) => scan(all, value)))
      assert.deepEqual(idsOf(found), idsOf([...wanted]), `${filter}=${some.join()}`)
    })
  }
}

/** A summary counts what its list has, with the same filters. */
for (const { name, operation } of keyOperations()) {
  const list = keyOperations().find((each) => each.name === name.replace('.summary', '.list'))
  if (list === undefined || !isList(list.operation) || !name.endsWith('.summary')) continue
  const { path } = list.operation
  for (const filter of Object.keys(operation.query?.properties ?? {})) {
    if (others.has(filter) || filter === 'basis') continue
    test(`${name}: ${filter} counts exactly the items that have the value`, async () => {
      const all = await read(path)
      const { valuesOf, scan } = matcher(list.name, filter)
      const values = [...new Set(all.flatMap(valuesOf))].filter((value) => value !== 'none')
      const counts = new Set<number>()
      for (const value of values.slice(0, 3)) {
        const { body } = await manager.get(`${operation.path}?${filter}=${value}`)
        assert.equal(body.count, scan(all, value).length, `${filter}=${value}`)
        counts.add(body.count)
      }
      assert.ok([...counts].some((count) => count > 0 && count < all.length))
    })
  }
}

/** At most 12 values, over the whole range. */
function spread(values: Json[]): Json[] {
  const step = Math.ceil(values.length / 12)
  return values.filter((_, index) => index % step === 0)
}
