import assert from 'node:assert/strict'

import type { Scope } from '@muster/contract'

import { Client, type Json } from '#test/support/client'

/** All scopes that a key with projects can have. */
export const everyBoundScope: readonly Scope[] = ['personnel.read', 'projects.manage']

interface BoundKey {
  readonly id: string
  readonly client: Client
}

/** Creates a key that is bound to these projects. */
export async function bindKey(
  manager: Client,
  projectIds: readonly string[],
  scopes = everyBoundScope,
): Promise<BoundKey> {
  const body = { name: 'Bound', scopes, project_ids: projectIds, expires_in_days: null }
  const made = await manager.post('/v1/keys', body)
  assert.equal(made.status, 201, made.text)
  return { id: made.body.id, client: new Client(manager.base, made.body.secret) }
}

interface Contents {
  readonly code: string
  /** Part of every text. */
  readonly about: string
  /** The owner of everything, and who accepts a risk. */
  readonly userId: string
}

/** Creates a project with risks, issues and tasks in every status, which all belong to a person. */
export async function fillProject(manager: Client, { code, about, userId }: Contents) {
  const post = async (path: string, body: object): Promise<Json> => {
    const reply = await manager.post(path, body)
    assert.ok(reply.status < 300, `${path} ${reply.text}`)
    return reply.body
  }
  let records = 0
  const create = (path: string, body: object) =>
    post(path, { ...body, external_id: `${about}-${records++}` })
  const common = { description: about, metadata: { note: about } }
  const project = await create('/v1/projects', {
    ...common,
    code,
    name: `Project ${about}`,
    owner_user_id: userId,
    risk_appetite: 6,
  })
  const here = `/v1/projects/${project.id}`
  const items = { ...common, tags: ['flood', about] }
  const risk = (likelihood: number, title: string) =>
    create(`${here}/risks`, {
      ...items,
      title: `${title} ${about}`,
      likelihood,
      impact: 4,
      owner_user_id: userId,
    })
  const risks = [await risk(5, 'Live'), await risk(3, 'Accepted'), await risk(2, 'Closed')]
  risks.push(await risk(4, 'Occurred'))
  const [, accepted, closed, occurred] = risks.map(({ id }) => `${here}/risks/${id}`)
  const acceptance = { accepted_by_user_id: userId, expires_on: '2999-12-31', rationale: about }
  await post(`${accepted}/accept`, acceptance)
  await post(`${closed}/close`, { close_reason: 'duplicate', close_note: about })
  await post(`${occurred}/occur`, { note: about })
  const issue = (severity: number) =>
    create(`${here}/issues`, {
      ...items,
      title: `Issue ${about}`,
      severity,
      assignee_user_id: userId,
    })
  const issues = [await issue(5), await issue(2)]
  await post(`${here}/issues/${issues[1]?.id}/close`, { close_reason: 'resolved' })
  const task = (status: string) =>
    create(`${here}/tasks`, { title: `Task ${about}`, status, assignee_user_id: userId })
  const tasks = [await task('todo'), await task('done')]
  const idsOf = (made: readonly Json[]): string[] => made.map(({ id }) => id)
  return { id: String(project.id), risks: idsOf(risks), issues: idsOf(issues), tasks: idsOf(tasks) }
}
