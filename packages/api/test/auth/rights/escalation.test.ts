import assert from 'node:assert/strict'
import { test } from 'node:test'

import { roleNames, type Scope, scopes } from '@muster/contract'
import * as fc from 'fast-check'

import { bindAccount } from '#domain/auth/provider/bind-account'
import { Refusal } from '#domain/auth/provider/refusal'
import { Browser, fromConsole, name as cookieName } from '#test/auth/browser'
import { addPerson, giveRole, signInPerson } from '#test/auth/people'
import { Client, type Json } from '#test/support/client'
import { seed, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

/**
 * No escalation: a principal calls random operations that could give rights. Afterwards neither it,
 * nor a credential that it got, nor any person has a right that it did not have and that the person
 * did not have before.
 */

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

interface Cast {
  readonly people: readonly string[]
  readonly groups: readonly string[]
  readonly keys: readonly string[]
  readonly access: Json
}

/** People with every role and none, one suspended and one departed; groups with roles. */
async function castPeople(): Promise<Cast> {
  const people: string[] = []
  for (const role of roleNames) people.push(await addPerson(manager, { role }))
  people.push(await addPerson(manager), await addPerson(manager))
  const [reader = '', , chief = '', admin = '', plain = ''] = people
  const groups: string[] = []
  for (const [role, members] of [
    ['reader', [plain]],
    ['manager', [chief]],
    ['admin', [admin]],
    [undefined, [reader]],
  ] as const) {
    const body = { name: `Cast ${groups.length}`, member_user_ids: members }
    const group = (await manager.post('/v1/groups', body)).body.id
    groups.push(group)
    if (role) await giveRole(manager, { role, group_id: group })
  }
  const keys = await Promise.all(
    [['personnel.read'], ['projects.manage', 'keys.manage'], scopes].map(async (held) => {
      const made = await manager.post('/v1/keys', { name: 'Cast', scopes: held })
      return made.body.id as string
    }),
  )
  return { people, groups, keys, access: (await manager.get('/v1/access')).body }
}

const cast = await castPeople()
const [, , suspendable = '', , departing = ''] = cast.people
const archivable = cast.groups[1] ?? ''

let isChanged = true

/** Restores what the last sequence changed: statuses, memberships, and the access list. */
async function restore(): Promise<void> {
  if (!isChanged) return
  isChanged = false
  for (const userId of cast.people) {
    await manager.post(`/v1/personnel/${userId}/rejoin`, {})
    await manager.post(`/v1/personnel/${userId}/resume`, {})
    const body = { external_id: null }
    assert.equal((await manager.send('PATCH', `/v1/personnel/${userId}`, { body })).status, 200)
  }
  for (const table of ['identities', 'binding_holds']) {
    await host.sql.query(`delete from ${table} where workspace_id = $1`, [home.uuid])
  }
  for (const [index, group] of cast.groups.entries()) {
    await manager.post(`/v1/groups/${group}/restore`, {})
    const own = [4, 2, 3, 0].map((place) => cast.people[place] ?? '')[index] ?? ''
    const remove = cast.people.filter((userId) => userId !== own)
    await manager.send('PATCH', `/v1/groups/${group}/members`, { body: { add: [own], remove } })
  }
  const { entries } = cast.access
  assert.equal((await manager.send('PUT', '/v1/access', { body: { entries } })).status, 200)
  await manager.post(`/v1/personnel/${suspendable}/suspend`, {})
  await manager.post(`/v1/personnel/${departing}/depart`, {})
  await manager.post(`/v1/groups/${archivable}/archive`, {})
}

/** The rights of each person, by the roles of their entries and groups. */
async function rightsOfPeople(): Promise<Map<string, Set<string>>> {
  const { rows } = await host.sql.query<{ id: string; roles: string[] }>(
    `select p.id, coalesce(array_agg(e.role) filter (where e.role is not null), '{}') as roles
     from people p left join access_entries e
       on e.workspace_id = p.workspace_id and e.is_granting
      and e.subject_id = any (p.group_ids || p.id)
     where p.workspace_id = $1 and p.status = 'active' group by p.id`,
    [home.uuid],
  )
  return new Map(rows.map(({ id, roles }) => [id, rightsOfRoles(roles)]))
}

const { data: roles } = (await manager.get('/v1/roles')).body

const withReads = (held: readonly string[]) =>
  new Set(held.flatMap((scope) => [scope, scope.replace('.manage', '.read')]))

function rightsOfRoles(names: readonly string[]): Set<string> {
  const own = roles.filter((role: Json) => names.includes(role.name))
  const held = withReads(own.flatMap((role: Json) => role.scopes))
  if (own.some((role: Json) => role.may_exceed_appetite)) held.add('risk_appetite')
  return held
}

/** The rights of a credential, as the service itself describes them. */
async function rightsOf(who: Client): Promise<Set<string>> {
  const { status, body } = await who.get('/v1/whoami')
  if (status !== 200) return new Set()
  const held = withReads(body.scopes)
  const isService = body.principal.user_id === null
  const mayExceed = isService ? held.has('projects.manage') : rightsOfRoles(body.roles)
  const exceeds = mayExceed === true || (mayExceed !== false && mayExceed.has('risk_appetite'))
  if (exceeds && held.has('projects.manage')) held.add('risk_appetite')
  return held
}

/** A call that could give rights. Credentials that it returns are collected. */
interface Call {
  readonly kind: string
  readonly person: number
  readonly group: number
  readonly key: number
  readonly role: number
  readonly scope: number
}

const kinds = (
  'add_key add_personal_key rotate widen give_role give_group_role join change_members ' +
  'restore resume rejoin link identity provider'
).split(' ')

const call: fc.Arbitrary<Call> = fc.record({
  kind: fc.constantFrom(...kinds),
  person: fc.nat(cast.people.length - 1),
  group: fc.nat(cast.groups.length - 1),
  key: fc.nat(cast.keys.length - 1),
  role: fc.nat(roleNames.length - 1),
  scope: fc.nat(scopes.length - 1),
})

async function perform(who: Client, step: Call): Promise<Client[]> {
  const userId = cast.people[step.person] ?? ''
  const groupId = cast.groups[step.group] ?? ''
  const keyId = cast.keys[step.key] ?? ''
  const role = roleNames[step.role] ?? 'reader'
  const scope = scopes[step.scope] ?? 'keys.read'
  const members = `/v1/groups/${groupId}/members`
  const newKey = { name: 'Taken', scopes: [scope] }
  const give = async (entry: object, subject: string) => {
    const { entries = [] } = (await who.get('/v1/access')).body
    const others = entries.filter((each: Json) => (each.user_id ?? each.group_id) !== subject)
    return who.send('PUT', '/v1/access', { body: { entries: [...others, { role, ...entry }] } })
  }
  const calls: Record<string, () => Promise<{ status: number; body: Json }>> = {
    add_key: () => who.post('/v1/keys', newKey),
    add_personal_key: () => who.post('/v1/personnel/me/keys', newKey),
    rotate: () => who.post(`/v1/keys/${keyId}/rotate`, { overlap_seconds: 604_800 }),
    widen: () => who.send('PATCH', `/v1/keys/${keyId}`, { body: { scopes: [...scopes] } }),
    give_role: () => give({ user_id: userId }, userId),
    give_group_role: () => give({ group_id: groupId }, groupId),
    join: () => who.send('PUT', `${members}/${userId}`),
    change_members: () => who.send('PATCH', members, { body: { add: [userId] } }),
    restore: () => who.post(`/v1/groups/${groupId}/restore`, {}),
    resume: () => who.post(`/v1/personnel/${userId}/resume`, {}),
    rejoin: () => who.post(`/v1/personnel/${userId}/rejoin`, {}),
    link: () => who.post(`/v1/personnel/${userId}/sign-in-links`, { purpose: 'sign_in' }),
    identity: () => who.send('PATCH', `/v1/personnel/${userId}`, { body: { external_id: userId } }),
    provider: () => who.send('DELETE', '/v1/workspace/sign-in'),
  }
  const reply = await calls[step.kind]?.()
  assert.ok(reply, step.kind)
  if (reply.status < 300) isChanged = true
  if (step.kind === 'identity' && reply.status === 200) return signInAtProvider(userId)
  return credentialsIn(reply)
}

/** The credentials that a response contains: the secret of a key, or a link. */
async function credentialsIn({ status, body }: { status: number; body: Json }): Promise<Client[]> {
  if (status === 201 && body.secret) return [new Client(host.base, body.secret)]
  if (status === 201 && body.url) return [await useLink(body.url)]
  return []
}

/** The provider that the attacker has an account at. The account has the new external id. */
async function signInAtProvider(externalId: string): Promise<Client[]> {
  const issuer = 'https://id.example.com'
  const now = new Date().toISOString()
  const provider = {
    issuer,
    client_id: 'muster',
    client_secret: Buffer.alloc(0),
    match: 'external_id',
    allowed_domains: [] as string[],
    first_sign_in: 'refuse',
    version: 1,
    created_at: now,
    updated_at: now,
  } as const
  const profile = { email: null, isEmailVerified: false, externalId }
  const subject = { issuer, subject: 'attacker', secondsSinceAuthentication: 0 }
  const account = { ...subject, profile: async () => profile }
  const origin = { network: null, userAgent: null }
  const place = { workspaceId: home.id, provider }
  try {
    const userId = await bindAccount(host.owner, { ...place, account, profile, origin })
    return [await signInPerson(host, home, userId)]
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    return []
  }
}

/** Signs in with a one-time link, as the page of the console does. */
async function useLink(url: string): Promise<Client> {
  const { pathname, hash } = new URL(url)
  const reply = await new Client(host.base, null).post(
    `${pathname}/link`,
    { token: hash.slice(1) },
    fromConsole,
  )
  assert.equal(reply.status, 201, reply.text)
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? ''
  assert.ok(cookie.startsWith(cookieName))
  return new Browser(host.base, cookie)
}

interface Attacker {
  readonly what: string
  readonly start: () => Promise<Client>
}

const attackers: Attacker[] = [
  ...roleNames.map((role, index) => ({
    what: `a ${role}`,
    start: () => signInPerson(host, home, cast.people[index === 2 ? 5 : index] ?? ''),
  })),
  ...scopes.map((scope: Scope) => ({ what: `a key with ${scope}`, start: () => home.key(scope) })),
  { what: 'a key with two scopes', start: () => home.key('workspace.manage', 'personnel.manage') },
  { what: 'a key for keys and people', start: () => home.key('keys.manage', 'personnel.manage') },
]

test('no principal gets or gives a right that it does not have', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...attackers),
      fc.array(call, { minLength: 1, maxLength: 6 }),
      async ({ what, start }, calls) => {
        await restore()
        const attacker = await start()
        const own = await rightsOf(attacker)
        const before = await rightsOfPeople()
        const taken: Client[] = []
        for (const step of calls) taken.push(...(await perform(attacker, step)))
        const after = await rightsOfPeople()
        for (const [id, rights] of after) {
          const allowed = new Set([...own, ...(before.get(id) ?? [])])
          const extra = [...rights].filter((right) => !allowed.has(right))
          assert.deepEqual(extra, [], `${what} gave rights to ${id}`)
        }
        for (const credential of [attacker, ...taken]) {
          const extra = [...(await rightsOf(credential))].filter((right) => !own.has(right))
          assert.deepEqual(extra, [], `${what} got rights`)
        }
      },
    ),
    { numRuns: size(300, 10_000), seed, endOnFailure: true },
  )
})
