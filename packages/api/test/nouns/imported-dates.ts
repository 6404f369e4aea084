import assert from 'node:assert/strict'

import type { Client, Json, Reply } from '#test/support/client'

/** The smallest bodies that create an item. */
export const bodies = {
  risks: { title: 'Uplift', likelihood: 3, impact: 4 },
  issues: { title: 'Leak', severity: 3 },
  tasks: { title: 'Flush the drains' },
}
export type Noun = keyof typeof bodies

export const closedRisk = { status: 'closed', close_reason: 'treated' }
export const closedIssue = { status: 'closed', close_reason: 'resolved' }

let codes = 0

/** A new project, and what creates items in it. */
export async function openProject(client: Client) {
  codes += 1
  const made = await client.post('/v1/projects', { code: `D${codes}`, name: 'Dates' })
  assert.equal(made.status, 201, made.text)
  const path = `/v1/projects/${made.body.id}`
  const create = (noun: Noun, fields: object): Promise<Reply> =>
    client.post(`${path}/${noun}`, { ...bodies[noun], ...fields })
  return {
    id: made.body.id,
    path,
    create,
    /** Creates an item, and reads it. */
    created: async (noun: Noun, fields: object): Promise<Json> => {
      const reply = await create(noun, fields)
      assert.equal(reply.status, 201, reply.text)
      const read = await client.get(`${path}/${noun}/${reply.body.id}`)
      assert.deepEqual(read.body, reply.body, 'a later GET has the same fields')
      return reply.body
    },
  }
}

export const errorsOf = ({ body }: Reply): string[] =>
  (body.errors ?? []).map(({ pointer, code }: Json) => `${pointer} ${code}`)
