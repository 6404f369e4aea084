import assert from 'node:assert/strict'

import type { Client } from 'pg'

import { uuidOf } from '#storage/values/id'

/** The part of an event that describes a change, without current state. */
interface ReplayedEvent {
  readonly seq: number
  readonly type: string
  readonly subject: string
  readonly user: string | null
}

/** The status after an event; other events keep the status. */
const statuses: Record<string, string> = {
  'person.created': 'active',
  'person.suspended': 'suspended',
  'person.resumed': 'active',
  'person.departed': 'departed',
  'person.rejoined': 'active',
  'group.created': 'active',
  'group.archived': 'archived',
  'group.restored': 'active',
}

interface State {
  readonly status: string
  readonly version: number
}

/** People and groups as the events describe them, from the first event. */
function replayed(events: readonly ReplayedEvent[]) {
  const people = new Map<string, State>()
  const groups = new Map<string, State>()
  const memberships = new Set<string>()
  for (const { seq, type, subject, user } of events) {
    const [noun] = type.split('.')
    if (noun !== 'person' && noun !== 'group') continue
    const states = noun === 'person' ? people : groups
    const before = states.get(subject)
    assert.equal(before === undefined, type.endsWith('.created'), `${type} of ${subject}`)
    states.set(subject, { status: statuses[type] ?? before?.status ?? '', version: seq })
    const member = user === null ? undefined : people.get(user)
    if (user === null || member === undefined) continue
    people.set(user, { ...member, version: seq })
    const membership = `${uuidOf(subject)} ${uuidOf(user)}`
    const isJoining = type === 'group.member_added'
    assert.equal(memberships.has(membership), !isJoining, `${type} of ${membership}`)
    if (isJoining) memberships.add(membership)
    else memberships.delete(membership)
  }
  return { people, groups, memberships }
}

const linesOf = (states: ReadonlyMap<string, State>) =>
  [...states].map(([id, { status, version }]) => `${uuidOf(id)} ${status} ${version}`).toSorted()

/**
 * Asserts that the events, replayed from the first, give the ids, statuses, memberships and
 * versions in the tables. A consumer of events alone can derive these.
 */
export async function assertReplayed(
  sql: Client,
  workspace: string,
  events: readonly ReplayedEvent[],
): Promise<void> {
  const lines = async (query: string) => {
    const { rows } = await sql.query<{ line: string }>(query, [workspace])
    return rows.map(({ line }) => line).toSorted()
  }
  const { people, groups, memberships } = replayed(events)
  const members = [...memberships].toSorted()
  const ofPeople = `select id || ' ' || status || ' ' || version as line from people`
  assert.deepEqual(await lines(`${ofPeople} where workspace_id = $1`), linesOf(people))
  const ofGroups = `select id || ' ' || status || ' ' || version as line from groups`
  assert.deepEqual(await lines(`${ofGroups} where workspace_id = $1`), linesOf(groups))
  const rows = `select group_id || ' ' || user_id as line from memberships where workspace_id = $1`
  assert.deepEqual(await lines(rows), members)
  const lists = `select unnest(group_ids) || ' ' || id as line from people where workspace_id = $1`
  assert.deepEqual(await lines(lists), members)
}
