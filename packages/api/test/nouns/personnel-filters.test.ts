import assert from 'node:assert/strict'
import { test } from 'node:test'

import { randomFrom } from '#test/support/bulk'
import type { Json } from '#test/support/client'
import { seed, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

const rounds = Number(process.env['RUNS'] ?? size(40, 300))
const random = randomFrom(seed)

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

const firsts = ['Åsa', 'Mara', 'Jürgen', 'ELOISE', 'Łukasz', 'Zoë', '李', 'Mary-Jane', "D'Arcy"]
const lasts = ['Lindqvist', 'Lind', 'Öberg', 'van der Berg', 'O’Neill', '王小明', 'Straße', 'x']
const titles = ['Site engineer', 'site Engineer', 'Chef de chantier', 'Ingénieur', null]
const departments = ['Health, Safety & Environment', 'Civil works', 'none of these', null]

/** Creates people who differ in every field a filter uses. */
async function createPeople(count: number): Promise<Json[]> {
  const rows = Array.from({ length: count }, (_, index) => ({
    name: `${random.pick(firsts)} ${random.pick(lasts)}`,
    email: random.below(4) === 0 ? null : `p${index}.${random.below(9)}@example.com`,
    title: random.pick(titles),
    department: random.pick(departments),
  }))
  const { body } = await manager.post('/v1/personnel/batch', { data: rows })
  const ids: string[] = body.data.map(({ id }: Json) => id)
  const chiefs = ids.slice(0, 4)
  for (const id of ids.slice(4)) {
    if (random.below(3) === 0) continue
    const patch = { body: { manager_user_id: random.pick(chiefs) } }
    await manager.send('PATCH', `/v1/personnel/${id}`, patch)
  }
  for (const name of ['Crew', 'Board', 'Desk']) {
    const member_user_ids = ids.filter(() => random.below(3) === 0)
    await manager.post('/v1/groups', { name, member_user_ids })
  }
  for (const id of ids) {
    const verb = random.pick(['', '', '', 'suspend', 'depart'])
    if (verb !== '') await manager.post(`/v1/personnel/${id}/${verb}`, {})
  }
  const all = await manager.get('/v1/personnel?status=active,suspended,departed')
  return all.body.data
}

const everyone = await createPeople(80)
const groups: string[] = (await manager.get('/v1/groups')).body.data.map(({ id }: Json) => id)

const folded = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
const isNamed = (text: string | null, wanted: string) =>
  wanted === 'none' ? text === null : text !== null && folded(text) === folded(wanted)

/** A second implementation of each filter parameter. */
const matchers: Record<string, (person: Json, value: string) => boolean> = {
  status: ({ status }, value) => value.split(',').includes(status),
  user_id: ({ id }, value) => value.split(',').includes(id),
  group_id: ({ group_ids }, value) => value.split(',').some((id) => group_ids.includes(id)),
  manager_user_id: ({ manager_user_id }, value) =>
    value.split(',').includes(manager_user_id ?? 'none'),
  title: ({ title }, value) => isNamed(title, value),
  department: ({ department }, value) => isNamed(department, value),
  q: ({ name, email }, value) => folded(`${name} ${email ?? ''}`).includes(folded(value)),
}

const some = (values: readonly string[]) =>
  [...new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(values)))].join(',')

const ids: string[] = everyone.map(({ id }) => id)
const pieces = ['lind', 'LINDQ', 'indqvist', 'berg', 'x', 'n d', 'y-j', "d'ar", '小明', 'oe', 'ße']
const others = ['p1', '@exa', 'example.com', 'a l', 'eloise o', '7@', 'neill', 'absent', 'strasse']
const values: Record<string, () => string> = {
  status: () => some(['active', 'suspended', 'departed']),
  user_id: () => some([...ids, 'usr_00000000000000000000000000']),
  group_id: () => some([...groups, 'grp_00000000000000000000000000']),
  manager_user_id: () => some([...ids.slice(0, 4), 'none']),
  title: () => random.pick([...titles.filter((title) => title !== null), 'none', 'INGENIEUR']),
  department: () => random.pick(['health, safety & environment', 'Civil works', 'none', 'x y']),
  q: () => random.pick([...pieces, ...others].filter((piece) => piece.length > 1)),
}

const sortNameOf = ({ name }: Json) => Array.from(folded(name).trim()).slice(0, 64).join('')
const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const orders: Record<string, (a: Json, b: Json) => number> = {
  created_at: (a, b) => bytes(a.created_at, b.created_at),
  name: (a, b) => bytes(sortNameOf(a), sortNameOf(b)),
  updated_at: (a, b) => a.version - b.version,
}

function expected(query: Record<string, string>): string[] {
  const { sort = 'created_at', ...filters } = query
  const asked = { status: 'active,suspended', ...filters }
  const found = everyone.filter((person) =>
    Object.entries(asked).every(([name, value]) => matchers[name]?.(person, value)),
  )
  const by = orders[sort.replace('-', '')] ?? orders['name']
  const sorted = found.toSorted((a, b) => by?.(a, b) || bytes(a.id, b.id))
  const ordered = sort.startsWith('-') ? sorted.toReversed() : sorted
  return ordered.map(({ id }) => id)
}

const idsOf = ({ body }: { body: Json }): string[] => body.data.map(({ id }: Json) => id)

test(`applies any combination of filters and sort orders (seed ${seed})`, async () => {
  let found = 0
  for (let round = 0; round < rounds; round++) {
    const names = Object.keys(values).filter(() => random.below(3) === 0)
    const query: Record<string, string> = Object.fromEntries(
      names.map((name) => [name, values[name]?.() ?? '']),
    )
    const by = random.pick(['', 'created_at', 'name', 'updated_at'])
    if (by !== '') query['sort'] = `${random.pick(['', '-'])}${by}`
    const text = new URLSearchParams(query).toString()
    const wanted = expected(query)
    found += wanted.length
    assert.deepEqual(idsOf(await manager.get(`/v1/personnel?${text}`)), wanted, text)
    const first = await manager.get(`/v1/personnel?${text}&limit=3&include=total_count`)
    assert.deepEqual(idsOf(first), wanted.slice(0, 3), text)
    assert.equal(first.body.total_count, wanted.length, text)
    if (first.body.next_cursor === null) continue
    const rest = await manager.get(
      `/v1/personnel?${text}&limit=100&cursor=${first.body.next_cursor}`,
    )
    assert.deepEqual(idsOf(rest), wanted.slice(3), text)
  }
  assert.ok(found > rounds, 'some queries match')
})

test('updates search and filters with every change of a person', async () => {
  const { body: person } = await manager.post('/v1/personnel', { name: 'Tuva Nyström' })
  const count = async (query: string) => (await manager.get(`/v1/personnel?${query}`)).body.count
  assert.equal(await count('q=nystrom'), 1)
  const patch = (body: object) => manager.send('PATCH', `/v1/personnel/${person.id}`, { body })
  await patch({ name: 'Tuva Sjöberg', email: 'tuva@fjord.example', department: 'Flood' })
  assert.equal(await count('q=nystrom'), 0)
  assert.equal(await count('q=jobe'), 1)
  assert.equal(await count('q=va@fjo'), 1)
  assert.equal(await count('department=FLOOD'), 1)
  await patch({ email: null, department: null })
  assert.equal(await count('q=fjord'), 0)
  assert.equal(await count('department=flood'), 0)
})

test('resolves 200 ids in one request, departed people when every status is named', async () => {
  const { body } = await manager.post('/v1/personnel/batch', {
    data: Array.from({ length: 201 }, (_, index) => ({ name: `Resolved ${index}` })),
  })
  const wanted: string[] = body.data.map(({ id }: Json) => id)
  await manager.post(`/v1/personnel/${wanted[0]}/depart`, {})
  const ask = (list: string[], more = '') =>
    manager.get(`/v1/personnel?user_id=${list.join(',')}${more}`)
  assert.equal((await ask(wanted)).body.code, 'invalid_parameter')
  assert.deepEqual(idsOf(await ask(wanted.slice(0, 200))), wanted.slice(1, 200))
  const all = '&status=active,suspended,departed&limit=1000'
  assert.deepEqual(idsOf(await ask(wanted.slice(0, 200), all)), wanted.slice(0, 200))
})
