import assert from 'node:assert/strict'

import { type Operation, operations } from '@muster/contract'
import { exampleOf } from '@muster/contract/openapi'

import { Client, type Json } from './client.ts'

/** One of everything, for tests that go through the whole contract. */
export interface Scene {
  /** By the name of the parameter that stands for it in a path. */
  readonly ids: Readonly<Record<string, string>>
  /** Another person, who is not in the group. */
  readonly colleague: string
  /** A path of the contract, with the ids of the scene in it. */
  readonly fill: (path: string) => string
}

let scenes = 0

/** Makes one of everything; `about` is in every text. */
export async function setScene(manager: Client, about = 'scene'): Promise<Scene> {
  scenes += 1
  const make = async (path: string, body: object): Promise<Json> => {
    const reply = await manager.post(path, body)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const person = await make('/v1/personnel', { name: `Ada ${about}` })
  const colleague = await make('/v1/personnel', { name: `Bo ${about}` })
  const members = { member_user_ids: [person.id], lead_user_ids: [person.id] }
  const group = await make('/v1/groups', { name: `Group ${about} ${scenes}`, ...members })
  const code = `S${scenes}`
  const project = await make('/v1/projects', { code, name: `Project ${about}` })
  const here = `/v1/projects/${project.id}`
  const owner = { owner_user_id: person.id, tags: [`tag-${about}`] }
  const rating = { likelihood: 3, impact: 4 }
  const risk = await make(`${here}/risks`, { title: `Risk ${about}`, ...rating, ...owner })
  const issue = await make(`${here}/issues`, {
    title: `Issue ${about}`,
    severity: 3,
    assignee_user_id: person.id,
  })
  const key = await make('/v1/keys', { name: `Key ${about}`, scopes: ['keys.read'] })
  const task = await make(`${here}/tasks`, { title: `Task ${about}`, risk_id: risk.id })
  const ids: Record<string, string> = {
    user_id: person.id,
    group_id: group.id,
    project_id: project.id,
    risk_id: risk.id,
    issue_id: issue.id,
    task_id: task.id,
    key_id: key.id,
  }
  const fill = (path: string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const id = ids[name]
      assert.ok(id, `the scene has no ${name}`)
      return id
    })
  return { ids, colleague: colleague.id, fill }
}

/** What has to be done before a verb can do anything. */
const before: Readonly<Record<string, { verb: string; body: object }>> = {
  reopen: { verb: 'close', body: { close_reason: 'duplicate' } },
  resume: { verb: 'suspend', body: {} },
  rejoin: { verb: 'depart', body: {} },
  erase: { verb: 'depart', body: {} },
  restore: { verb: 'archive', body: { if_live_items: 'close' } },
}

/** Makes one of everything, as it must be for this operation to have something to do. */
export async function setSceneFor(
  manager: Client,
  { path, method }: Operation,
  about?: string,
): Promise<Scene> {
  const scene = await setScene(manager, about)
  if (method === 'PUT') await manager.send('DELETE', scene.fill(path))
  // One that was never changed is at version 0, before which there is none.
  if (path === operations.workspace.update.path) {
    await manager.send('PATCH', path, { body: { time_zone: 'UTC', name: `Home ${scenes}` } })
  }
  const first = before[path.split('/').at(-1) ?? '']
  if (first) {
    const done = await manager.post(scene.fill(`${itemPath(path)}/${first.verb}`), first.body)
    assert.equal(done.status, 200, done.text)
  }
  return scene
}

/** Whoever does this has no key any more. */
export const endsItsKey = ({ path }: Operation) => path === operations.keys.revoke_self.path

/** Who may do this: the manager, or one like them whose key can be spared. */
export async function senderOf(manager: Client, operation: Operation): Promise<Client> {
  if (!endsItsKey(operation)) return manager
  const { body } = await manager.get('/v1/whoami')
  const { scopes } = body.key
  const made = await manager.post('/v1/keys', { name: 'To be spared', scopes })
  return new Client(manager.base, made.body.secret)
}

/** Of the path of a transition: that of the thing which it changes. A member changes the group. */
export function itemPath(path: string): string {
  const [own = ''] = path.split('/members')
  return own.includes('}') ? own.slice(0, own.lastIndexOf('}') + 1) : own
}

/** The body that the reference shows, referring to what is there. */
export function exampleFor({ body }: Operation, { ids, colleague }: Scene): Json {
  if (body === undefined) return undefined
  const byPrefix = new Map(Object.values(ids).map((id) => [id.slice(0, 3), id]))
  const example = JSON.stringify(exampleOf(body)).replaceAll(otherExampleId, colleague)
  return JSON.parse(
    example.replaceAll(exampleId, (id, prefix: string) => byPrefix.get(prefix) ?? id),
  )
}

/** An id that the reference shows, and that nothing ever has. */
export const exampleId = /\b([a-z]{3})_01ktrr9d3hen4v9q9t9m2g8x5c\b/g

/** Where the reference must speak of two people, this is the other one. */
const otherExampleId = 'usr_01ktrr9d3hen4v9q9t9m2g8x5d'

/** As `exampleFor`, however often: what only one can have is another each time. */
export function newExampleFor(operation: Operation, scene: Scene): Json {
  scenes += 1
  const example: Json = exampleFor(operation, scene)
  return (
    example && {
      ...example,
      ...('email' in example && { email: `mara${scenes}@example.com` }),
      ...('name' in example && { name: `${example.name} ${scenes}` }),
      ...('code' in example && { code: `N${scenes}` }),
    }
  )
}
