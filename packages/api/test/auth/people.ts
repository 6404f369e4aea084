import assert from 'node:assert/strict'

import type { RoleName } from '@muster/contract'

import { RefusalLog } from '#domain/auth/refusal-log'
import { SessionManager } from '#domain/auth/sessions'
import type { Client } from '#test/support/client'
import type { Host, newWorkspace } from '#test/support/workspace'

import { Browser, name as cookieName } from './browser.ts'

type Home = Awaited<ReturnType<typeof newWorkspace>>

const origin = { network: null, userAgent: null }

interface NewPerson {
  readonly name?: string
  readonly email?: string | null
  readonly role?: RoleName
}

/** Adds a person to the roster. With a role, the person gets it beside those of others. */
export async function addPerson(
  manager: Client,
  { name = 'Ada', email = null, role }: NewPerson = {},
): Promise<string> {
  const { body, status, text } = await manager.post('/v1/personnel', { name, email })
  assert.equal(status, 201, text)
  if (role !== undefined) await giveRole(manager, { role, user_id: body.id })
  return body.id
}

interface Entry {
  readonly role: RoleName
  readonly user_id?: string
  readonly group_id?: string
}

/** Adds an entry to the access list, or changes it. */
export async function giveRole(manager: Client, entry: Entry): Promise<void> {
  const { body } = await manager.get('/v1/access')
  const others = body.entries.filter(
    (each: Entry) => (each.user_id ?? each.group_id) !== (entry.user_id ?? entry.group_id),
  )
  const reply = await manager.send('PUT', '/v1/access', {
    body: { as_of: body.as_of, entries: [...others, entry] },
  })
  assert.equal(reply.status, 200, reply.text)
}

/** A browser in which the person is signed in, as after a passkey or a link. */
export async function signInPerson(
  { owner, base }: Pick<Host, 'owner' | 'base'>,
  { id: workspaceId }: Pick<Home, 'id'>,
  userId: string,
): Promise<Browser> {
  const signIn = { workspaceId, method: 'link', origin } as const
  const proof = { find: async () => userId, use: async () => true }
  const started = await new SessionManager(owner, new RefusalLog(owner)).startWithProof(
    signIn,
    proof,
  )
  assert.ok(started, 'the person is active')
  return new Browser(base, `${cookieName}=${started.token}`)
}

/** Creates a link and returns its path on the service and its token. */
export async function newLink(manager: Client, userId: string, purpose = 'sign_in') {
  const made = await manager.post(`/v1/personnel/${userId}/sign-in-links`, { purpose })
  assert.equal(made.status, 201, made.text)
  const { pathname, hash } = new URL(made.body.url)
  return { path: `${pathname}/link`, token: hash.slice(1), body: made.body }
}

/** The browser after a sign-in that succeeded. */
export function signedIn(base: string, reply: { status: number; headers: Headers; text: string }) {
  assert.equal(reply.status, 201, reply.text)
  const [cookie = ''] = reply.headers.getSetCookie()
  return new Browser(base, cookie.split(';')[0] ?? '')
}

/** Signs a person in with a new link. */
export async function signInByLink(manager: Client, userId: string): Promise<Browser> {
  const { path, token } = await newLink(manager, userId)
  return signedIn(manager.base, await new Browser(manager.base, '').post(path, { token }))
}
