import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation, isList, lookupColumnsOf } from '@muster/contract'

import { type Batch, batches, freshFor } from '#test/contract/batch-rows'
import { schemasOf } from '#test/contract/field-nouns'
import type { Json, Reply } from '#test/support/client'
import { createFixture, type Fixture } from '#test/support/fixture'
import { newWorkspace, startHost } from '#test/support/workspace'

import { bindKey } from './bound-keys.ts'

/**
 * What a key may not see, it cannot find by a name either: a name that something hidden has gets
 * the answer of a name that nothing has. The exceptions are codes and external ids that are taken.
 */
const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

const person = { name: 'Hidden', email: 'hidden@example.com', external_id: 'hidden-person' }
await manager.post('/v1/personnel', person)

/** The records of one fixture, each with what people call it. */
async function named(): Promise<{ fixture: Fixture; names: Json }> {
  const fixture = await createFixture(manager)
  const names: Json = {}
  for (const [noun, key] of Object.entries({ risks: 'risk', issues: 'issue', tasks: 'task' })) {
    const path = fixture.fill(`/v1/projects/{project_id}/${noun}/{${key}_id}`)
    const external_id = `hidden-${fixture.ids[`${key}_id`]}`
    const { body } = await manager.send('PATCH', path, { body: { external_id } })
    names[noun] = { id: body.id, ref: body.ref, external_id }
  }
  const path = fixture.fill('/v1/projects/{project_id}')
  const external_id = `hidden-${fixture.ids['project_id']}`
  const { body } = await manager.send('PATCH', path, { body: { external_id } })
  names.projects = { id: body.id, code: body.code, external_id }
  return { fixture, names }
}

const [mine, hidden] = [await named(), await named()]

let unknowns = 0

/** A value of the same form and length that nothing has. */
function unknownOf(value: string): string {
  unknowns += 1
  if (/^[a-z]{3}_/.test(value)) return `${value.slice(0, 4)}01ktrr9d3hen4v9q9t9m2g8x5d`
  return value.replaceAll(/\d+/g, String(9000 + unknowns)).replace('hidden', 'unknown')
}

const plain = ({ status, text }: Reply, value: string) =>
  `${status} ${text.replaceAll(value, 'VALUE').replaceAll(/req_\w+/g, 'REQ')}`

/** The fields of a row that name a record, each with a hidden value. */
function hiddenNames({ name, operation }: Batch): [string, string][] {
  const [noun = ''] = name.split('.')
  const { risks, issues, projects } = hidden.names
  const values: Json = {
    ...hidden.names[noun],
    project_id: projects.id,
    project_code: projects.code,
    risk_id: risks.id,
    risk_ref: risks.ref,
    issue_id: issues.id,
    issue_ref: issues.ref,
  }
  const fields = schemasOf(operation.rows)
  return Object.entries<string>(values).filter(([field]) => field in fields)
}

const inProjects = batches.filter(({ operation }) => operation.scope === 'projects.manage')

test('batches of projects and of their items are tested', () => {
  assert.deepEqual(inProjects.map(({ name }) => name).toSorted(), [
    'issues.batch',
    'issues.batch_across',
    'projects.batch',
    'risks.batch',
    'risks.batch_across',
    'tasks.batch',
    'tasks.batch_across',
  ])
})

for (const batch of inProjects) {
  const { name, operation } = batch
  const path = mine.fixture.fill(operation.path)
  const matches: readonly string[] = schemasOf(operation.query)['match']?.enum ?? []

  test(`${name}: a bound key finds nothing by the names of what is outside`, async () => {
    const { client } = await bindKey(manager, [mine.fixture.ids['project_id'] ?? ''])
    const { external_id: _, code: __, ...fresh } = freshFor(batch, mine.fixture)
    for (const [field, value] of hiddenNames(batch)) {
      for (const match of [null, ...matches]) {
        const send = (given: string) =>
          client.post(match === null ? path : `${path}?match=${match}`, {
            data: [{ ...fresh, [field]: given }],
          })
        const unknown = unknownOf(value)
        const [found, missing] = [await send(value), await send(unknown)]
        const where = `${field} with match ${match}: ${found.text}`
        if (field === 'external_id' && missing.status === 200) {
          assert.equal(found.body.errors?.[0].code, 'external_id_taken', where)
          assert.equal(found.text.includes(value), false, where)
          const disclosed = Object.values(hidden.fixture.ids).filter((id) =>
            found.text.includes(id),
          )
          assert.deepEqual(disclosed, [], where)
          continue
        }
        assert.ok(found.status >= 400, where)
        assert.equal(plain(found, value), plain(missing, unknown), where)
      }
    }
  })

  test(`${name}: a key without personnel.read learns no name of a person`, async () => {
    const client = await home.key('projects.manage')
    const fields = Object.keys(schemasOf(operation.rows)).filter((field) =>
      /_(email|external_id)$/.test(field),
    )
    assert.ok(fields.length > 0)
    for (const field of fields) {
      const value = field.endsWith('email') ? person.email : person.external_id
      const send = (given: string) =>
        client.post(path, { data: [{ ...freshFor(batch, mine.fixture), [field]: given }] })
      const unknown = unknownOf(value)
      const [found, missing] = [await send(value), await send(unknown)]
      assert.equal(found.status, 403, found.text)
      assert.equal(plain(found, value), plain(missing, unknown))
    }
    const columns = lookupColumnsOf(operation.rows ?? {}).filter(({ prefix }) => prefix === 'usr')
    for (const column of columns) {
      const headers = { 'content-type': 'text/csv' }
      const body = `title,${column.name}\nAny,${person.email}\n`
      const { status } = await client.send('POST', path, { body, headers })
      assert.ok([400, 403].includes(status), column.name)
    }
  })
}

const lists = everyOperation().flatMap(({ name, operation }) =>
  isList(operation) && operation.scope === 'projects.read' ? [{ name, operation }] : [],
)

for (const { name, operation } of lists) {
  const filters = Object.keys(operation.filterNeeds)
  const query = schemasOf(operation.query)
  const canNameUnmatched = (query['include']?.items?.enum ?? []).includes('unmatched')

  test(`${name}: filters and unmatched do not disclose what is hidden`, async () => {
    const path = mine.fixture.fill(operation.path)
    const alone = await home.key('projects.read')
    for (const filter of filters) {
      const send = (value: string) => alone.get(`${path}?${filter}=${value}`)
      const [found, missing] = [await send(person.email), await send('unknown@example.com')]
      assert.equal(found.status, 403, filter)
      assert.equal(plain(found, person.email), plain(missing, 'unknown@example.com'))
    }
    const { client } = await bindKey(manager, [mine.fixture.ids['project_id'] ?? ''])
    const noun = operation.collection
    const all: Json = { ...hidden.names[noun], project_code: hidden.names.projects.code }
    const names = Object.entries<string>(all).filter(([field]) => field in query && field !== 'id')
    const include = canNameUnmatched ? '&include=unmatched' : ''
    for (const [field, value] of names) {
      const send = (given: string) => client.get(`${path}?${field}=${given}${include}`)
      const unknown = unknownOf(value)
      const [found, missing] = [await send(value), await send(unknown)]
      assert.equal(found.status, 200, found.text)
      assert.deepEqual(found.body.data, [])
      if (include) assert.deepEqual(found.body.unmatched, { [field]: [value] })
      assert.equal(plain(found, value), plain(missing, unknown), field)
    }
  })
}
