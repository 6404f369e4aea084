import assert from 'node:assert/strict'
import { test } from 'node:test'

import { type AuditType, everyOperation } from '@muster/contract'

import { uuidOf } from '#storage/values/id'
import { personWithPasskey } from '#test/auth/passkeys/passkey-steps'
import { addPerson, giveRole, signInPerson } from '#test/auth/people'
import type { Client, Json, Reply } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()

/** The nouns whose operations change who can do what, or who someone is. */
const nouns = new Set(
  `keys personal_keys access links sessions passkeys
  person_sign_in sign_in workspace groups personnel departures`.split(/\s+/),
)

/** Operations that change neither access nor identity, and why. */
const unaudited: Readonly<Record<string, string>> = {
  'passkeys.rename': 'a name gives no access',
  'sign_in.test': 'it changes nothing',
  'sign_in.check': 'it changes nothing',
  'groups.create': 'a new group has no role',
  'groups.update': 'the name and the leads of a group give no access',
  'personnel.create': 'a new person has no role',
  'personnel.reassign': 'assigned work gives no access',
  'departures.cancel': 'a planned departure is confidential, and an audit log has other readers',
}

type Home = Awaited<ReturnType<typeof newWorkspace>>

/** A workspace with an administrator, and a member of a group with a role. */
interface Scene {
  readonly home: Home
  readonly manager: Client
  readonly ada: string
  readonly bo: string
  readonly group: string
}

interface AuditedOperation {
  readonly types: readonly AuditType[]
  /** Prepares the operation, and returns a function that performs it. */
  readonly arrange: (scene: Scene) => Promise<() => Promise<Reply>>
}

const sends =
  (
    method: string,
    pathOf: (scene: Scene) => string,
    bodyOf: (scene: Scene) => object = () => ({}),
  ) =>
  async (scene: Scene) =>
  () =>
    scene.manager.send(method, pathOf(scene), { body: bodyOf(scene) })

/** After the requests that lead to it. */
const after =
  (
    steps: (scene: Scene) => readonly [path: string, body?: object][],
    last: AuditedOperation['arrange'],
  ) =>
  async (scene: Scene) => {
    for (const [path, body = {}] of steps(scene)) {
      const reply = await scene.manager.post(path, body)
      assert.ok(reply.status < 300, reply.text)
    }
    return last(scene)
  }

const browserOf = ({ home, ada }: Scene) => signInPerson(host, home, ada)

const provider = {
  issuer: 'https://id.example.com',
  client_id: 'muster',
  client_secret: 'a-secret-of-the-client',
  match: 'email',
  allowed_domains: [],
  first_sign_in: 'refuse',
}

const ofAda = (verb: string) => (scene: Scene) => `/v1/personnel/${scene.ada}${verb}`
const ofBo = (verb: string) => (scene: Scene) => `/v1/personnel/${scene.bo}${verb}`
const ofGroup = (verb: string) => (scene: Scene) => `/v1/groups/${scene.group}${verb}`

async function newKey({ manager }: Scene): Promise<Json> {
  const made = await manager.post('/v1/keys', { name: 'Key', scopes: ['personnel.manage'] })
  assert.equal(made.status, 201, made.text)
  return made.body
}

const withNewKey = (verb: string) => async (scene: Scene) => {
  const { id } = await newKey(scene)
  return () => scene.manager.post(`/v1/keys/${id}/${verb}`, {})
}

const audited: Readonly<Record<string, AuditedOperation>> = {
  'keys.create': {
    types: ['key.created'],
    arrange: sends(
      'POST',
      () => '/v1/keys',
      () => ({ name: 'New', scopes: ['keys.read'] }),
    ),
  },
  'keys.update': {
    types: ['key.updated'],
    arrange: async (scene) => {
      const { id } = await newKey(scene)
      const body = { allowed_cidrs: ['203.0.113.0/24'] }
      return () => scene.manager.send('PATCH', `/v1/keys/${id}`, { body })
    },
  },
  'keys.rotate': { types: ['key.rotated'], arrange: withNewKey('rotate') },
  'keys.revoke': { types: ['key.revoked'], arrange: withNewKey('revoke') },
  'keys.revoke_self': {
    types: ['key.revoked'],
    arrange: async ({ home }) => {
      const key = await home.key()
      return () => key.post('/v1/keys/self/revoke', undefined)
    },
  },
  'personal_keys.create': {
    types: ['key.created'],
    arrange: async (scene) => {
      const browser = await browserOf(scene)
      return () => browser.post('/v1/personnel/me/keys', { name: 'Mine', scopes: ['keys.read'] })
    },
  },
  'personal_keys.revoke': {
    types: ['key.revoked'],
    arrange: async (scene) => {
      const browser = await browserOf(scene)
      const input = { name: 'Mine', scopes: ['keys.read'] }
      const { body } = await browser.post('/v1/personnel/me/keys', input)
      return () => browser.post(`/v1/personnel/me/keys/${body.id}/revoke`, undefined)
    },
  },
  'access.replace': {
    types: ['access.updated'],
    arrange: sends(
      'PUT',
      () => '/v1/access',
      ({ ada }) => ({
        entries: [{ role: 'admin', user_id: ada }],
      }),
    ),
  },
  'links.create': {
    types: ['link.created'],
    arrange: sends('POST', ofAda('/sign-in-links'), () => ({ purpose: 'sign_in' })),
  },
  'sessions.end': {
    types: ['session.ended'],
    arrange: async (scene) => {
      const browser = await browserOf(scene)
      const other = await browserOf(scene)
      const { body } = await other.get('/v1/whoami')
      return () => browser.send('DELETE', `/v1/sessions/${body.session.id}`)
    },
  },
  'sessions.end_of_person': {
    types: ['session.ended'],
    arrange: async (scene) => {
      await browserOf(scene)
      return () => scene.manager.post(ofAda('/end-sessions')(scene), {})
    },
  },
  'passkeys.remove': {
    types: ['passkey.removed'],
    arrange: async ({ manager }) => {
      const { browser, passkey } = await personWithPasskey(manager)
      return () => browser.send('DELETE', `/v1/passkeys/${passkey.id}`)
    },
  },
  'person_sign_in.remove_identity': {
    types: ['identity.removed'],
    arrange: async (scene) => {
      await host.sql.query(
        `insert into identities (workspace_id, user_id, issuer, subject, created_at)
         values ($1, $2, 'https://id.example.com', 'ada', now())`,
        [scene.home.uuid, uuidOf(scene.ada)],
      )
      return () => scene.manager.send('DELETE', ofAda('/sign-in/identity')(scene))
    },
  },
  'person_sign_in.remove_passkey': {
    types: ['passkey.removed'],
    arrange: async ({ manager }) => {
      const { userId, passkey } = await personWithPasskey(manager)
      return () => manager.send('DELETE', `/v1/personnel/${userId}/sign-in/passkeys/${passkey.id}`)
    },
  },
  'sign_in.replace': {
    types: ['provider.updated'],
    arrange: sends(
      'PUT',
      () => '/v1/workspace/sign-in',
      () => provider,
    ),
  },
  'sign_in.remove': {
    types: ['provider.removed'],
    arrange: async ({ manager }) => {
      await manager.send('PUT', '/v1/workspace/sign-in', { body: provider })
      return () => manager.send('DELETE', '/v1/workspace/sign-in')
    },
  },
  'sign_in.confirm': {
    types: ['identity.confirmed'],
    arrange: async (scene) => {
      const lesser = await scene.home.key('personnel.manage')
      const body = { email: 'held@example.com' }
      assert.equal((await lesser.send('PATCH', ofAda('')(scene), { body })).status, 200)
      return () => scene.manager.post(ofAda('/confirm-identity')(scene), {})
    },
  },
  'workspace.update': {
    types: ['workspace.updated'],
    arrange: sends(
      'PATCH',
      () => '/v1/workspace',
      () => ({ policies: { session_days: 2 } }),
    ),
  },
  'groups.archive': { types: ['group.archived'], arrange: sends('POST', ofGroup('/archive')) },
  'groups.restore': {
    types: ['group.restored'],
    arrange: after((scene) => [[ofGroup('/archive')(scene)]], sends('POST', ofGroup('/restore'))),
  },
  'groups.change_members': {
    types: ['membership.updated'],
    arrange: sends('PATCH', ofGroup('/members'), ({ ada }) => ({ add: [ada] })),
  },
  'groups.add_member': {
    types: ['membership.updated'],
    arrange: sends('PUT', (scene) => ofGroup(`/members/${scene.ada}`)(scene)),
  },
  'groups.remove_member': {
    types: ['membership.updated'],
    arrange: sends('DELETE', (scene) => ofGroup(`/members/${scene.bo}`)(scene)),
  },
  'personnel.batch': {
    types: ['identity.changed'],
    arrange: sends(
      'POST',
      () => '/v1/personnel/batch',
      ({ ada }) => ({
        data: [{ id: ada, email: 'batch@example.com' }],
      }),
    ),
  },
  'personnel.update': {
    types: ['identity.changed'],
    arrange: sends('PATCH', ofAda(''), () => ({ email: 'other@example.com' })),
  },
  'personnel.suspend': { types: ['person.suspended'], arrange: sends('POST', ofBo('/suspend')) },
  'personnel.resume': {
    types: ['person.resumed'],
    arrange: after((scene) => [[ofBo('/suspend')(scene)]], sends('POST', ofBo('/resume'))),
  },
  'personnel.depart': { types: ['person.departed'], arrange: sends('POST', ofBo('/depart')) },
  'personnel.rejoin': {
    types: ['person.rejoined'],
    arrange: after((scene) => [[ofBo('/depart')(scene)]], sends('POST', ofBo('/rejoin'))),
  },
  'personnel.erase': {
    types: ['person.erased'],
    arrange: after(
      (scene) => [[ofBo('/depart')(scene)]],
      sends('POST', ofBo('/erase'), ({ bo }) => ({ confirm: bo })),
    ),
  },
}

async function newScene(): Promise<Scene> {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const ada = await addPerson(manager, { name: 'Ada', email: 'ada@example.com', role: 'admin' })
  const bo = await addPerson(manager, { name: 'Bo' })
  const group = await manager.post('/v1/groups', { name: 'Crew', member_user_ids: [bo] })
  assert.equal(group.status, 201, group.text)
  await giveRole(manager, { role: 'manager', group_id: group.body.id })
  return { home, manager, ada, bo, group: group.body.id }
}

test('every operation that changes access or identity is listed', () => {
  const writing = everyOperation()
    .filter(
      ({ name, operation }) => nouns.has(name.split('.')[0] ?? '') && operation.method !== 'GET',
    )
    .map(({ name }) => name)
  const listed = [...Object.keys(audited), ...Object.keys(unaudited)]
  assert.deepEqual(listed.toSorted(), writing.toSorted())
})

for (const [name, { types, arrange }] of Object.entries(audited)) {
  test(`${name} adds ${types.join(' and ')}`, async () => {
    const scene = await newScene()
    const perform = await arrange(scene)
    const entries = async () =>
      (await scene.manager.get('/v1/audit?limit=1000')).body.data as Json[]
    const before = new Set((await entries()).map(({ id }) => id))
    const reply = await perform()
    assert.ok(reply.status < 300, reply.text)
    const added = (await entries()).filter(({ id }) => !before.has(id))
    const addedTypes = new Set(added.map(({ type }): string => type))
    const missing = types.filter((type) => !addedTypes.has(type))
    assert.deepEqual(missing, [])
    for (const { actor, network } of added) {
      assert.notEqual(actor.type, 'system')
      assert.equal(network, '127.0.0.0/24')
    }
  })
}
