import assert from 'node:assert/strict'

import type { Operation } from '@muster/contract'
import { exampleOf } from '@muster/contract/openapi'

import type { Client, Json } from './client.ts'

/** One of everything, for tests that go through the whole contract. */
export interface Scene {
  /** By the name of the parameter that stands for it in a path. */
  readonly ids: Readonly<Record<string, string>>
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
  const code = `S${scenes}`
  const project = await make('/v1/projects', { code, name: `Project ${about}` })
  const here = `/v1/projects/${project.id}`
  const owner = { owner_user_id: person.id, tags: [`tag-${about}`] }
  const rating = { likelihood: 3, impact: 4 }
  const risk = await make(`${here}/risks`, { title: `Risk ${about}`, ...rating, ...owner })
  const issue = await make(`${here}/issues`, { title: `Issue ${about}`, severity: 3 })
  const task = await make(`${here}/tasks`, { title: `Task ${about}`, risk_id: risk.id })
  const ids: Record<string, string> = {
    user_id: person.id,
    project_id: project.id,
    risk_id: risk.id,
    issue_id: issue.id,
    task_id: task.id,
  }
  const fill = (path: string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const id = ids[name]
      assert.ok(id, `the scene has no ${name}`)
      return id
    })
  return { ids, fill }
}

/** What has to be done before a verb can do anything. */
const before: Readonly<Record<string, { verb: string; body: object }>> = {
  reopen: { verb: 'close', body: { close_reason: 'duplicate' } },
  restore: { verb: 'archive', body: { if_live_items: 'close' } },
}

/** Makes one of everything, as it must be for this operation to have something to do. */
export async function setSceneFor(
  manager: Client,
  { path }: Operation,
  about?: string,
): Promise<Scene> {
  const scene = await setScene(manager, about)
  const first = before[path.split('/').at(-1) ?? '']
  if (first) {
    const done = await manager.post(scene.fill(`${itemPath(path)}/${first.verb}`), first.body)
    assert.equal(done.status, 200, done.text)
  }
  return scene
}

/** Of the path of a transition: that of the thing which it changes. */
export const itemPath = (path: string) => path.slice(0, path.lastIndexOf('}') + 1)

/** The body that the reference shows, referring to what is there. */
export function exampleFor({ body }: Operation, { ids }: Scene): Json {
  if (body === undefined) return undefined
  const byPrefix = new Map(Object.values(ids).map((id) => [id.slice(0, 3), id]))
  const example = JSON.stringify(exampleOf(body))
  return JSON.parse(
    example.replaceAll(exampleId, (id, prefix: string) => byPrefix.get(prefix) ?? id),
  )
}

/** An id that the reference shows, and that nothing ever has. */
export const exampleId = /\b([a-z]{3})_01ktrr9d3hen4v9q9t9m2g8x5c\b/g

/** As `exampleFor`, however often: what only one can have is another each time. */
export function newExampleFor(operation: Operation, scene: Scene): Json {
  scenes += 1
  const example: Json = exampleFor(operation, scene)
  return (
    example && {
      ...example,
      ...('email' in example && { email: `mara${scenes}@example.com` }),
      ...('code' in example && { code: `N${scenes}` }),
    }
  )
}
