import assert from 'node:assert/strict'

import type { Client, Json } from '#test/support/client'
import { type Host, newWorkspace } from '#test/support/workspace'

/** Sends a request that must succeed. */
export async function sent(client: Client, path: string, body?: object): Promise<Json> {
  const reply = body === undefined ? await client.get(path) : await client.post(path, body)
  assert.ok(reply.status < 300, `${path} ${reply.text}`)
  return reply.body
}

export async function patched(client: Client, path: string, body: object): Promise<Json> {
  const reply = await client.send('PATCH', path, { body })
  assert.ok(reply.status < 300, `${path} ${reply.text}`)
  return reply.body
}

/** The last sequence number of a workspace. */
export async function numberOf({ sql }: Host, uuid: string): Promise<number> {
  const query = 'select seq::int from workspace_counters where workspace_id = $1'
  const { rows } = await sql.query<{ seq: number }>(query, [uuid])
  return rows[0]?.seq ?? 0
}

/** The entries of all groups of a noun, each with the name of its group. */
export const entriesIn = (groups: Json): Json[] =>
  Object.entries<Json[]>(groups).flatMap(([group, entries]) =>
    entries.map((entry) => ({ group, ...entry })),
  )

/** The group of an item; undefined if it is in none. */
export function groupOf(groups: Json, id: string): string | undefined {
  const found = entriesIn(groups).filter((entry) => entry.id === id)
  assert.ok(found.length <= 1, `${id} is in ${found.map(({ group }) => group).join()}`)
  return found[0]?.group
}

let codes = 0

/** A workspace with two projects and a person. */
export async function beginOn(host: Host) {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const project = (name: string) =>
    sent(manager, '/v1/projects', { code: `P${(codes += 1)}`, name, risk_appetite: 15 })
  const [dam, bridge] = [await project('Dam'), await project('Bridge')]
  const person = async (name: string) => (await sent(manager, '/v1/personnel', { name })).user_id
  const [ada, bo] = [await person('Ada'), await person('Bo')]
  const now = () => numberOf(host, home.uuid)
  const raise = async (likelihood: number, impact: number, { to = dam, ...more }: Json = {}) => {
    const body = { title: `Risk ${likelihood}${impact}`, likelihood, impact, ...more }
    const risk = await sent(manager, `/v1/projects/${to.id}/risks`, body)
    return { ...risk, at: `/v1/projects/${to.id}/risks/${risk.id}` }
  }
  const open = async (severity: number, more: object = {}) => {
    const body = { title: `Issue ${severity}`, severity, ...more }
    const issue = await sent(manager, `/v1/projects/${dam.id}/issues`, body)
    return { ...issue, at: `/v1/projects/${dam.id}/issues/${issue.id}` }
  }
  const since = (number: number, more = '', client: Client = manager) =>
    sent(client, `/v1/changes?since=${number}${more}`)
  const review = (risk: Json, likelihood: number, impact: number) =>
    sent(manager, `${risk.at}/review`, { likelihood, impact, note: 'Seen.' })
  const close = (item: Json, close_reason: string) =>
    sent(manager, `${item.at}/close`, { close_reason })
  return { home, manager, dam, bridge, ada, bo, now, raise, open, since, review, close }
}
