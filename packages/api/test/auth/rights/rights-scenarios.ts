/** Requests that change the rights of someone, for each operation that can. */

import type { RoleName } from '@muster/contract'

import { uuidOf } from '#storage/values/id'
import { signInPerson } from '#test/auth/people'

import { arranging, newName, newNumber, type Sender, type Stage } from './rights-stage.ts'

interface Request {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: object
}

export interface Scenario {
  /** The operation, and what the request does. */
  readonly operation: string
  readonly what: string
  /** What it does to the rights of someone. */
  readonly effect: 'growth' | 'loss' | 'none'
  /** For losses: whether the operation always needs a recent sign-in. */
  readonly isAlwaysRecent?: true
  /** Whether the request is about its sender, so that each one needs another. */
  readonly isOfSender?: true
  readonly arrange: (sender: Sender) => Promise<Request>
}

const provider = {
  issuer: 'https://id.example.com/realms/acme',
  client_id: 'muster',
  client_secret: 'a-secret-of-the-client',
  match: 'email',
  allowed_domains: ['example.com'],
  first_sign_in: 'refuse',
}

type Arrange = Scenario['arrange']
type Table = Readonly<Record<string, Readonly<Record<string, Arrange>>>>

/** The scenarios by effect, by operation and by what the request does. */
export function scenariosOn(stage: Stage): Scenario[] {
  const tables = { growth: growthOn(stage), loss: lossesOn(stage), none: othersOn(stage) }
  return Object.entries(tables).flatMap(([effect, table]) =>
    Object.entries(table).flatMap(([operation, requests]) =>
      Object.entries(requests).map(([what, arrange]) => ({
        operation,
        what,
        // The cast holds because these are the keys of `tables`.
        effect: effect as Scenario['effect'],
        ...(alwaysRecent.has(operation) && { isAlwaysRecent: true as const }),
        ...(ofSender.has(operation) && { isOfSender: true as const }),
        arrange,
      })),
    ),
  )
}

const alwaysRecent = new Set([
  'sign_in.remove',
  'person_sign_in.remove_identity',
  'person_sign_in.remove_passkey',
])
const ofSender = new Set(
  'personal_keys.create personal_keys.revoke sessions.end passkeys.rename passkeys.remove'.split(
    ' ',
  ),
)

const roles = ['reader', 'admin'] as const

/** One request for a role that a manager may give, and one for a role that only an admin may. */
const forRoles = (arrange: (role: (typeof roles)[number]) => Promise<Request>) =>
  Object.fromEntries(roles.map((role) => [role, () => arrange(role)]))

function growthOn(stage: Stage): Table {
  const { done, person, group, access, list, holder, key } = arranging(stage)
  const groupWith = async (role: RoleName, ...members: string[]) => {
    const id = await group(...members)
    await access({ role, group_id: id })
    return id
  }
  return {
    'access.replace': {
      'gives a role': async () => list({ role: 'reader', user_id: await person() }),
      'gives a better role': async () => list({ role: 'admin', user_id: await holder('reader') }),
      'gives a role to a group': async () =>
        list({ role: 'contributor', group_id: await group(await person()) }),
    },
    'groups.add_member': forRoles(async (role) => ({
      params: { group_id: await groupWith(role), user_id: await person() },
    })),
    'groups.change_members': forRoles(async (role) => ({
      params: { group_id: await groupWith(role) },
      body: { add: [await person()] },
    })),
    'groups.restore': forRoles(async (role) => {
      const group_id = await groupWith(role, await person())
      await done('POST', `/v1/groups/${group_id}/archive`, {})
      return { params: { group_id } }
    }),
    'personnel.resume': forRoles(async (role) => {
      const user_id = await holder(role)
      await done('POST', `/v1/personnel/${user_id}/suspend`, {})
      return { params: { user_id }, body: {} }
    }),
    'personnel.update': {
      'changes the email of an administrator': async () => ({
        params: { user_id: await holder('admin') },
        body: { email: `${newNumber()}@example.com` },
      }),
      'changes the external id of a reader': async () => ({
        params: { user_id: await holder('reader') },
        body: { external_id: newName() },
      }),
    },
    'personnel.batch': {
      'changes the email of a reader': async () => ({
        body: { data: [{ id: await holder('reader'), email: `${newNumber()}@example.com` }] },
      }),
    },
    'keys.create': {
      'creates a key': async () => ({ body: { name: 'New', scopes: ['projects.read'] } }),
    },
    'keys.rotate': { 'rotates a key': async () => ({ params: { key_id: await key() }, body: {} }) },
    'keys.update': {
      'removes the networks': async () => ({
        params: { key_id: await key({ allowed_cidrs: ['10.0.0.0/8'] }) },
        body: { allowed_cidrs: [] },
      }),
      'allows another network': async () => ({
        params: { key_id: await key({ allowed_cidrs: ['10.0.0.0/8'] }) },
        body: { allowed_cidrs: ['203.0.113.0/24'] },
      }),
    },
    'personal_keys.create': {
      'creates a personal key': async () => ({ body: { name: 'My', scopes: ['personnel.read'] } }),
    },
    'links.create': {
      'creates a link': async () => ({
        params: { user_id: await holder('reader') },
        body: { purpose: 'sign_in' },
      }),
    },
    'sign_in.replace': {
      'adds a provider': async () => {
        await done('DELETE', '/v1/workspace/sign-in')
        return { body: provider }
      },
    },
    'sign_in.confirm': {
      'confirms an identity': async () => {
        const user_id = await holder('reader')
        await stage.host.sql.query(
          'insert into binding_holds (workspace_id, user_id, created_at) values ($1, $2, now())',
          [stage.home.uuid, uuidOf(user_id)],
        )
        return { params: { user_id } }
      },
    },
    'workspace.update': {
      'allows longer sessions': async () => {
        await done('PATCH', '/v1/workspace', { policies: { session_days: 1 } })
        return { body: { policies: { session_days: 7 } } }
      },
      'allows keys of any length': async () => {
        await done('PATCH', '/v1/workspace', { policies: { key_days_max: 366 } })
        return { body: { policies: { key_days_max: null } } }
      },
    },
  }
}

function lossesOn(stage: Stage): Table {
  const { done, person, group, access, list, holder, ...other } = arranging(stage)
  const membership = async () => {
    const user_id = await person()
    const group_id = await group(user_id)
    await access({ role: 'reader', group_id })
    return { params: { group_id, user_id } }
  }
  return {
    'access.replace': {
      'removes a role': async () => {
        await holder('admin')
        return list()
      },
      'gives a lesser role': async () => list({ role: 'reader', user_id: await holder('admin') }),
    },
    'groups.remove_member': { 'removes a member': membership },
    'groups.change_members': {
      'removes a member': async () => {
        const { params } = await membership()
        return { params, body: { remove: [params.user_id] } }
      },
    },
    'groups.archive': { 'archives a group': membership },
    'personnel.suspend': forRoles(async (role) => ({
      params: { user_id: await holder(role) },
      body: {},
    })),
    'personnel.depart': {
      ...forRoles(async (role) => ({ params: { user_id: await holder(role) }, body: {} })),
      'a member': async () => ({ ...(await membership()), body: {} }),
    },
    'keys.update': {
      'restricts a key': async () => ({
        params: { key_id: await other.key() },
        body: { allowed_cidrs: ['10.0.0.0/8'] },
      }),
    },
    'keys.revoke': {
      'revokes a key': async () => ({ params: { key_id: await other.key() } }),
    },
    'personal_keys.revoke': {
      'revokes a personal key': async (sender) => ({
        params: { key_id: await other.personalKey(sender) },
      }),
    },
    'passkeys.remove': {
      'removes a passkey': async (sender) => ({
        params: { passkey_id: await other.passkey(sender) },
      }),
    },
    'person_sign_in.remove_identity': {
      'removes an account': async () => ({ params: { user_id: await other.boundPerson() } }),
    },
    'person_sign_in.remove_passkey': {
      'removes a passkey of a person': async () => {
        const user_id = await person()
        return { params: { user_id, passkey_id: await other.passkey({ userId: user_id }) } }
      },
    },
    'sessions.end': {
      'ends a session': async (sender) => ({ params: { session_id: await other.session(sender) } }),
    },
    'sessions.end_of_person': {
      'ends sessions': async () => {
        const user_id = await person()
        await signInPerson(stage.host, stage.home, user_id)
        return { params: { user_id } }
      },
    },
    'sign_in.remove': {
      'removes the provider': async () => {
        await done('PUT', '/v1/workspace/sign-in', provider)
        return {}
      },
    },
    'workspace.update': {
      'allows only shorter sessions': async () => {
        await done('PATCH', '/v1/workspace', { policies: { session_days: 7 } })
        return { body: { policies: { session_days: 6 } } }
      },
    },
  }
}

/** Requests that look alike and give nothing. */
function othersOn(stage: Stage): Table {
  const { done, person, group, passkey } = arranging(stage)
  return {
    'groups.add_member': {
      'to a group without a role': async () => ({
        params: { group_id: await group(), user_id: await person() },
      }),
    },
    'personnel.resume': {
      'a person without a role': async () => {
        const user_id = await person()
        await done('POST', `/v1/personnel/${user_id}/suspend`, {})
        return { params: { user_id }, body: {} }
      },
    },
    'personnel.update': {
      'the email of a person without a role': async () => ({
        params: { user_id: await person() },
        body: { email: `${newNumber()}@example.com` },
      }),
    },
    'personnel.rejoin': {
      'a person who had a role': async () => {
        const user_id = await person()
        await done('POST', `/v1/personnel/${user_id}/depart`, {})
        return { params: { user_id }, body: {} }
      },
    },
    'personnel.depart': {
      'plans the departure of a person': async () => ({
        params: { user_id: await person() },
        body: { departs_on: '2999-12-31' },
      }),
    },
    'departures.cancel': {
      'cancels a planned departure': async () => {
        const user_id = await person()
        await done('POST', `/v1/personnel/${user_id}/depart`, { departs_on: '2999-12-31' })
        return { params: { user_id } }
      },
    },
    'passkeys.rename': {
      'renames a passkey': async (sender) => ({
        params: { passkey_id: await passkey(sender) },
        body: { name: newName() },
      }),
    },
  }
}
