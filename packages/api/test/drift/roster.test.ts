import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

import { findDrift } from './drift.ts'
import { type Fault, testFaults } from './faults.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const today = new Date().toISOString().slice(0, 10)

async function make(path: string, body: object): Promise<Json> {
  const reply = await manager.post(path, body)
  assert.ok(reply.status < 300, reply.text)
  return reply.body
}

const ada = await make('/v1/personnel', { name: 'Ada', email: 'Ada@example.com' })
const bo = await make('/v1/personnel', { name: 'Bo', manager_user_id: ada.id, external_id: 'b' })
const cai = await make('/v1/personnel', { name: 'Cai', email: 'cai@example.com', phone: '1' })
const members = { member_user_ids: [ada.id, bo.id, cai.id], lead_user_ids: [ada.id] }
await make('/v1/groups', { name: 'Crew', ...members })
await make('/v1/groups', { name: 'Board', member_user_ids: [ada.id] })
await make('/v1/projects', { code: 'DAM', name: 'Dam', owner_user_id: cai.id })
await make(`/v1/personnel/${cai.id}/depart`, {})
await make(`/v1/personnel/${cai.id}/erase`, { confirm: cai.id })

test('finds no drift after people join, leave, depart and are erased', async () => {
  assert.deepEqual(await findDrift(host.sql, { today }), [])
})

const named = (name: string) => `where name = '${name}'`
const idOf = (name: string) => `(select id from people ${named(name)})`

const faults: Fault[] = [
  ['a missing membership', 'delete from memberships', /^Of memberships one is missing/],
  [
    'a membership that a person does not have',
    `update people set group_ids = '{}' ${named('Bo')}`,
    /^Of memberships one is surplus/,
  ],
  ...['status', 'sort_name', 'version', 'created_at'].map((column): Fault => {
    const values: Record<string, string> = {
      status: `'suspended'`,
      sort_name: `'x'`,
      version: '1',
      created_at: `'2020-01-01'`,
    }
    return [
      `a membership row with a wrong ${column}`,
      `update memberships set ${column} = ${values[column]}`,
      /^Of memberships one is missing/,
    ]
  }),
  [
    'a state of a person without an event of its membership',
    `update events set data = '{"user_id": "usr_00000000000000000000000000"}'
     where type like 'group.member_%'`,
    /^The history of person .* has a state at \d+ without an event/,
  ],
  [
    'a wrong member count',
    `update groups set member_count = 7 ${named('Crew')}`,
    /^The group Crew of .* has 2 members, and member_count is 7\./,
  ],
  [
    'a lead who is not a member',
    `update groups set lead_user_ids = array[${idOf('Bo')}] ${named('Board')}`,
    /leads the group Board of .* and is not in it/,
  ],
  [
    'two people with one email',
    `drop index people_email; update people set email = 'ADA@example.com' ${named('Bo')}`,
    /^2 people on the roster of .* have the email ada@example\.com/,
  ],
  [
    'two people with one external id',
    `drop index people_external_id; update people set external_id = 'b' ${named('Ada')}`,
    /^2 people on the roster of .* have the external id b/,
  ],
  [
    'two groups with one name',
    `drop index groups_name; update groups set name = 'CREW'`,
    /^2 active groups of .* have the name crew/,
  ],
  [
    'a wrong email key',
    `update people set email_key = 'eve@example.com' ${named('Ada')}`,
    /^The email of Ada of .* has the key eve@example\.com/,
  ],
  [
    'a person with the search text of another',
    `update people set search_text = 'eve ' ${named('Ada')}`,
    /^The search text of the person .* is eve/,
  ],
  [
    'a group with the search text of another',
    `update groups set search_text = 'eve'`,
    /^The search text of the group .* is eve/,
  ],
  [
    'two people who report to each other',
    `update people set manager_user_id = ${idOf('Bo')} ${named('Ada')}`,
    /reports to themselves/,
  ],
  [
    'a person who reports to themselves',
    `update people set manager_user_id = id ${named('Bo')}`,
    /reports to themselves/,
  ],
  [
    'a departed person in a group',
    `update people set status = 'departed' ${named('Bo')}`,
    /^The person Bo of .* contradicts itself/,
  ],
  [
    'a phone number of an erased person',
    `update people set phone = '1' ${named('Erased person')}`,
    /^The person Erased person of .* contradicts itself/,
  ],
  [
    'personal data in the history of an erased person',
    `update history set data = data || '{"phone": "1"}' where data->>'name' = 'Erased person'`,
    /^The history of .* still has personal data/,
  ],
  [
    'personal metadata in the history of an erased person',
    `update history set metadata = '{"badge": "1"}'
     where data->>'name' = 'Erased person' and metadata is not null`,
    /^The history of .* still has personal data/,
  ],
  [
    'an assignment to an unknown person',
    `set local session_replication_role = replica;
     update projects set owner_user_id = gen_random_uuid()`,
    /^DAM of .* is assigned to .*, who does not exist/,
  ],
  [
    'a group whose version differs from its history',
    `update groups set version = version + 1 ${named('Crew')}`,
    /^group .* has the version \d+, and its last state is of \d+/,
  ],
  [
    'a membership without an event',
    `update events set type = 'group.updated' where type = 'group.member_added'`,
    /^The history of person .* has a state at \d+ without an event/,
  ],
]

testFaults(host, today, faults)
