import assert from 'node:assert/strict'

import type { Client, Json } from '#test/support/client'
import { type Host, newWorkspace } from '#test/support/workspace'

/** Two projects in which Ada is assigned open items of every type, and some closed ones. */
export async function assignWork(host: Host) {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const make = async (path: string, body: object): Promise<Json> => {
    const reply = await manager.post(path, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }
  const ada = (await make('/v1/personnel', { name: 'Ada' })).id
  const bo = (await make('/v1/personnel', { name: 'Bo' })).id
  const projects: Json[] = []
  for (const code of ['DAM', 'BAY']) {
    const project = await make('/v1/projects', { code, name: code, owner_user_id: ada })
    projects.push(project)
    const here = `/v1/projects/${project.id}`
    const owned = { owner_user_id: ada, review_on: '2030-01-01' }
    await make(`${here}/risks`, { title: 'Small', likelihood: 1, impact: 1, ...owned })
    await make(`${here}/risks`, { title: 'Large', likelihood: 5, impact: 5, ...owned })
    const given = { assignee_user_id: ada, due_on: '2031-01-01' }
    await make(`${here}/issues`, { title: 'Crane', severity: 3, ...given })
    const over = await make(`${here}/issues`, { title: 'Over', severity: 5, ...given })
    await make(`${here}/issues/${over.id}/close`, { close_reason: 'resolved' })
    await make(`${here}/tasks`, { title: 'Flush', ...given })
    await make(`${here}/tasks`, { title: 'Done', status: 'done', ...given })
  }
  const list = async (userId: string, query = '') =>
    (await manager.get(`/v1/personnel/${userId}/assignments${query}`)).body
  const reassign = (userId: string, body: object) =>
    manager.post(`/v1/personnel/${userId}/reassign`, body)
  return { ...home, manager, make, ada, bo, projects, list, reassign }
}

export const code = async (reply: ReturnType<Client['get']>) => {
  const { status, body } = await reply
  return status < 300 ? String(status) : `${status} ${body.code}`
}

/** The assigned work of Ada, in the order of the list. */
export const refs = [
  ['project', 'DAM'],
  ['project', 'BAY'],
  ['risk', 'DAM-R2'],
  ['risk', 'BAY-R2'],
  ['risk', 'DAM-R1'],
  ['risk', 'BAY-R1'],
  ['issue', 'DAM-I1'],
  ['issue', 'BAY-I1'],
  ['task', 'DAM-T1'],
  ['task', 'BAY-T1'],
]
export const named = (data: Json[]) => data.map(({ type, ref }) => [type, ref])
