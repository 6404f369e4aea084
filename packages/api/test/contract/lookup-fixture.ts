import assert from 'node:assert/strict'

import { parse } from 'csv-parse/sync'

import { addPerson, signInPerson } from '#test/auth/people'
import type { Client, Json } from '#test/support/client'
import { type Host, newWorkspace } from '#test/support/workspace'

export const asCsv = { accept: 'text/csv' }

/** The rows of a CSV file, by column. */
export const rowsIn = (csv: string): Record<string, string>[] => parse(csv, { columns: true })

/** The columns of a CSV file, in their order. */
export const headerOf = (csv: string) => csv.split('\r\n', 1)[0]?.split(',') ?? []

/**
 * A workspace in which every id that has lookup columns is that of something. Mara, a person, made
 * all of it, so that histories and keys name her.
 */
export async function createLookupFixture(host: Host) {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const mara = { name: '=Mara Lindqvist; "M"', email: 'mara@example.com' }
  const userId = await addPerson(manager, { ...mara, role: 'admin' })
  const browser = await signInPerson(host, home, userId)
  const send = async (method: string, path: string, body: object): Promise<Json> => {
    const reply = await browser.send(method, path, { body })
    assert.ok(reply.status < 300, `${path}: ${reply.text}`)
    return reply.body
  }
  const post = (path: string, body: object) => send('POST', path, body)
  await send('PATCH', `/v1/personnel/${userId}`, { title: 'Head of geotechnics' })
  await post('/v1/personnel', { name: 'Bo', manager_user_id: userId })
  const leads = { member_user_ids: [userId], lead_user_ids: [userId] }
  const group = await post('/v1/groups', { name: 'Dams', ...leads })
  const project = await post('/v1/projects', { code: 'DAM', name: 'Dam', owner_user_id: userId })
  const here = `/v1/projects/${project.id}`
  const owned = { likelihood: 3, impact: 4, owner_user_id: userId }
  const risk = await post(`${here}/risks`, { title: 'Seepage', ...owned })
  const acceptance = { accepted_by_user_id: userId, expires_on: '2999-01-01', rationale: 'Rare.' }
  await post(`${here}/risks/${risk.id}/accept`, acceptance)
  const other = await post(`${here}/risks`, { title: 'Flood', ...owned })
  await post(`${here}/risks/${other.id}/occur`, {})
  const [issue] = (await manager.get(`${here}/issues`)).body.data
  const assigned = { assignee_user_id: userId }
  await send('PATCH', `${here}/issues/${issue.id}`, assigned)
  const closed = await post(`${here}/issues`, { title: 'Leak', severity: 2, ...assigned })
  await post(`${here}/issues/${closed.id}/close`, { close_reason: 'resolved' })
  await post(`${here}/tasks`, { title: 'Measure', risk_id: risk.id, ...assigned })
  await post(`${here}/tasks`, { title: 'Repair', issue_id: issue.id })
  const key = { name: 'Script', scopes: ['projects.read'], responsible_user_id: userId }
  await post('/v1/keys', key)
  const bound = { name: 'Own', scopes: ['projects.read'], project_ids: [project.id] }
  await post('/v1/personnel/me/keys', bound)
  const ids: Readonly<Record<string, string>> = {
    user_id: userId,
    group_id: group.id,
    project_id: project.id,
    risk_id: risk.id,
    issue_id: issue.id,
  }
  const fill = (path: string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? `no ${name}`)
  return { home, manager, mara: { ...mara, id: userId }, ids, fill }
}

/** The resources that lookup columns name, by id, as the API shows them. */
export async function readResources(manager: Client): Promise<Map<string, Json>> {
  const projects = (await manager.get('/v1/projects')).body.data
  const paths = [
    '/v1/personnel',
    ...projects.flatMap(({ id }: Json) => [
      `/v1/projects/${id}/risks`,
      `/v1/projects/${id}/issues`,
    ]),
  ]
  const lists = await Promise.all(paths.map(async (path) => (await manager.get(path)).body.data))
  return new Map([...projects, ...lists.flat()].map((each: Json) => [each.id, each]))
}
