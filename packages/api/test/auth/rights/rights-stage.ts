/** What requests that change rights need: people with roles, groups, keys and credentials. */

import assert from 'node:assert/strict'

import type { RoleName } from '@muster/contract'

import { encodeId, uuidAt, uuidOf } from '#storage/values/id'
import { signInPerson } from '#test/auth/people'
import type { Client, Json } from '#test/support/client'
import type { Host, newWorkspace } from '#test/support/workspace'

/** Who sends the request. */
export interface Sender {
  readonly what: string
  readonly client: Client
  readonly role: RoleName
  readonly userId: string
  readonly isOld: boolean
}

export interface Stage {
  readonly host: Host
  readonly home: Awaited<ReturnType<typeof newWorkspace>>
  readonly manager: Client
  /** The entries of the senders, which every access list has. */
  readonly entries: readonly object[]
}

let numbers = 0
export const newNumber = () => (numbers += 1)
export const newName = () => `Name ${newNumber()}`

export function arranging({ host, home, manager, entries }: Stage) {
  const done = async (method: string, path: string, body?: object): Promise<Json> => {
    const reply = await manager.send(method, path, { body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
    return reply.body
  }
  const person = async (): Promise<string> =>
    (await done('POST', '/v1/personnel', { name: newName() })).id
  const group = async (...member_user_ids: string[]): Promise<string> =>
    (await done('POST', '/v1/groups', { name: newName(), member_user_ids })).id
  const access = (...others: object[]) =>
    done('PUT', '/v1/access', { entries: [...entries, ...others] })
  return {
    host,
    home,
    done,
    person,
    group,
    access,
    list: (...others: object[]) => ({ body: { entries: [...entries, ...others] } }),
    holder: async (role: RoleName) => {
      const userId = await person()
      await access({ role, user_id: userId })
      return userId
    },
    key: async (fields: object = {}): Promise<string> =>
      (await done('POST', '/v1/keys', { name: 'K', scopes: ['personnel.read'], ...fields })).id,
    personalKey: async ({ userId }: Sender): Promise<string> => {
      const browser = await signInPerson(host, home, userId)
      const input = { name: 'Mine', scopes: ['personnel.read'] }
      return (await browser.post('/v1/personnel/me/keys', input)).body.id
    },
    boundPerson: async (): Promise<string> => {
      const userId = await person()
      await host.sql.query(
        `insert into identities (workspace_id, user_id, issuer, subject, created_at)
         values ($1, $2, 'https://id.example.com', $3, now())`,
        [home.uuid, uuidOf(userId), newName()],
      )
      return userId
    },
    passkey: async ({ userId }: Pick<Sender, 'userId'>): Promise<string> => {
      const uuid = uuidAt(Date.now() * 1000)
      await host.sql.query(
        `insert into passkeys (workspace_id, id, user_id, credential_id, public_key, counter, name,
           created_at) values ($1, $2, $3, $4, '', 0, 'Laptop', now())`,
        [home.uuid, uuid, uuidOf(userId), newName()],
      )
      return encodeId('psk', uuid)
    },
    session: async ({ userId }: Sender): Promise<string> => {
      const browser = await signInPerson(host, home, userId)
      return (await browser.get('/v1/whoami')).body.session.id
    },
  }
}
