import assert from 'node:assert/strict'

import { roleNames, scopes } from '@muster/contract'
import * as fc from 'fast-check'

import { Client, type Json } from '#test/support/client'

/** Attackers with few rights and accounts at the provider, beside an honest administrator. */

/** Kinds of steps. Those that lead to rights in few steps are more frequent. */
const attackerKinds = (
  'take take take change change change_back change_back batch_change bind bind personal_key ' +
  'depart rejoin suspend resume join leave archive restore give_role give_group_role confirm'
).split(' ')
const administratorKinds = (
  'give_role give_role give_role give_role give_group_role give_group_role join join restore ' +
  'archive resume suspend rejoin depart correct confirm_checked confirm_checked repair genuine'
).split(' ')

/** One request or sign-in of a sequence. */
export interface Step {
  readonly kind: string
  /** Which attacker; null for the administrator. */
  readonly attacker: number | null
  readonly person: number
  readonly role: number
  readonly field: 'email' | 'external_id'
  readonly flag: boolean
}

const details = {
  person: fc.constantFrom(0, 0, 0, 1),
  role: fc.nat(roleNames.length - 1),
  field: fc.constantFrom<Step['field']>('email', 'external_id'),
  flag: fc.boolean(),
}

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom(...attackerKinds),
      attacker: fc.nat(1),
      ...details,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom(...administratorKinds),
      attacker: fc.constant(null),
      ...details,
    }),
  },
)

/** What a person has at the start: a role, or none. */
export const anyStart = fc.record({
  roles: fc.tuple(fc.nat(roleNames.length), fc.nat(roleNames.length)),
  groupRole: fc.nat(roleNames.length),
  members: fc.tuple(fc.boolean(), fc.boolean()),
})
export type Start = { roles: [number, number]; groupRole: number; members: [boolean, boolean] }

export interface Claims {
  readonly email: string
  readonly external_id: string
}

/** Signs in at the provider with an account. Null if it is refused. */
export type SignIn = (subject: string, claims: Claims) => Promise<Client | null>

export interface World {
  readonly administrator: Client
  readonly attackers: readonly Client[]
  /** The rights of each attacker. */
  readonly rights: readonly (readonly string[])[]
  readonly signIn: SignIn
}

interface Victim {
  readonly id: string
  readonly genuine: Claims
}

let plays = 0

/** One sequence, with people of its own. */
export class Play {
  readonly #world: World
  readonly #team: readonly Client[]
  readonly #tag = `${process.pid}-${++plays}`
  #victims: Victim[] = []
  #group = ''
  /** The people whom an account of the attackers could match. */
  readonly #changed = new Set<number>()
  /** Credentials that attackers have got. */
  readonly #taken: Client[] = []

  constructor(world: World, team: readonly Client[]) {
    this.#world = world
    this.#team = team
  }

  async begin({ roles, groupRole, members }: Start): Promise<void> {
    const { administrator } = this.#world
    const genuine = [0, 1].map((index) => this.#claims('person', index))
    const data = genuine.map((claims) => ({ name: 'Victim', ...claims }))
    const made = await administrator.post('/v1/personnel/batch', { data })
    assert.equal(made.status, 200, made.text)
    this.#victims = made.body.data.map(({ id }: Json, at: number) => ({ id, genuine: genuine[at] }))
    const ids = this.#victims.map(({ id }) => id)
    const body = { name: this.#tag, member_user_ids: ids.filter((_, at) => members[at]) }
    this.#group = (await administrator.post('/v1/groups', body)).body.id
    const entries = [
      ...ids.map((user_id, at) => ({ role: roleNames[roles[at] ?? 0], user_id })),
      { role: roleNames[groupRole], group_id: this.#group },
    ].filter(({ role }) => role !== undefined)
    const put = await administrator.send('PUT', '/v1/access', { body: { entries } })
    assert.equal(put.status, 200, put.text)
  }

  #claims(whose: string, person: number): Claims {
    const name = `${whose}.${this.#tag}.${person}`
    return { email: `${name}@example.com`, external_id: name }
  }

  async perform(step: Step): Promise<void> {
    const { administrator } = this.#world
    const who =
      step.attacker === null ? administrator : this.#team[step.attacker % this.#team.length]
    const victim = this.#victims[step.person]
    assert.ok(who && victim)
    const { id, genuine } = victim
    const path = `/v1/personnel/${id}`
    const members = `/v1/groups/${this.#group}/members/${id}`
    const patch = (body: object, query = '') => who.send('PATCH', `${path}${query}`, { body })
    const evil = this.#claims('mallory', step.person)
    const changed = step.flag ? evil : { [step.field]: evil[step.field] }
    const kinds: Record<string, () => Promise<unknown>> = {
      change: () => patch(changed),
      change_back: () => patch(genuine),
      batch_change: () => who.post('/v1/personnel/batch', { data: [{ id, ...changed }] }),
      bind: () => this.#bind(step.person),
      take: async () => {
        await patch(evil)
        await this.#bind(step.person)
      },
      personal_key: () => this.#addPersonalKey(),
      depart: () => who.post(`${path}/depart`, {}),
      rejoin: () => who.post(`${path}/rejoin`, {}),
      suspend: () => who.post(`${path}/suspend`, {}),
      resume: () => who.post(`${path}/resume`, {}),
      join: () => who.send('PUT', members),
      leave: () => who.send('DELETE', members),
      archive: () => who.post(`/v1/groups/${this.#group}/archive`, {}),
      restore: () => who.post(`/v1/groups/${this.#group}/restore`, {}),
      give_role: () => this.#give(who, { user_id: id }, step.role),
      give_group_role: () => this.#give(who, { group_id: this.#group }, step.role),
      confirm: () => who.post(`${path}/confirm-identity`, undefined),
      correct: () => patch(genuine),
      repair: async () => {
        await patch(genuine, step.flag ? '?end_sign_in=true' : '')
        await this.#confirmChecked(victim)
      },
      confirm_checked: () => this.#confirmChecked(victim),
      genuine: () => this.#world.signIn(`genuine.${this.#tag}.${step.person}`, genuine),
    }
    assert.ok(kinds[step.kind], step.kind)
    if (/^(change|batch_change|take)$/.test(step.kind)) this.#changed.add(step.person)
    await kinds[step.kind]?.()
  }

  /** The administrator confirms what the person says is theirs. */
  async #confirmChecked({ id, genuine }: Victim): Promise<void> {
    const { administrator } = this.#world
    const { email, external_id } = (await administrator.get(`/v1/personnel/${id}`)).body
    if (email !== genuine.email || external_id !== genuine.external_id) return
    await administrator.post(`/v1/personnel/${id}/confirm-identity`, undefined)
  }

  async #give(who: Client, subject: { user_id?: string; group_id?: string }, role: number) {
    const { entries = [] } = (await who.get('/v1/access')).body
    const wanted = subject.user_id ?? subject.group_id
    const others = entries.filter((each: Json) => (each.user_id ?? each.group_id) !== wanted)
    const body = { entries: [...others, { role: roleNames[role], ...subject }] }
    return who.send('PUT', '/v1/access', { body })
  }

  async #bind(person: number): Promise<void> {
    if (!this.#changed.has(person)) return
    const evil = this.#claims('mallory', person)
    const browser = await this.#world.signIn(`mallory.${this.#tag}.${person}`, evil)
    if (browser) this.#taken.push(browser)
  }

  /** With a session that was taken, a key that outlives it. */
  async #addPersonalKey(): Promise<void> {
    const browser = this.#taken.at(-1)
    if (browser === undefined) return
    const held = (await browser.get('/v1/whoami')).body.scopes ?? []
    const made = await browser.post('/v1/personnel/me/keys', { name: 'Taken', scopes: held })
    if (made.status === 201) this.#taken.push(new Client(browser.base, made.body.secret))
  }

  /** The credentials of the attackers, after each of their accounts has signed in again. */
  async end(): Promise<readonly Client[]> {
    for (const person of [0, 1]) await this.#bind(person)
    return this.#taken
  }
}

const withReads = (held: readonly string[]) =>
  held.flatMap((scope) => [scope, scope.replace('.manage', '.read')])

/** The rights of a credential, as the service describes them; none if it is refused. */
export async function rightsOf(who: Client): Promise<Set<string>> {
  const { status, body } = await who.get('/v1/whoami')
  if (status !== 200) return new Set()
  const held = new Set(withReads(body.scopes))
  const isService = body.principal.user_id === null
  const mayExceed = isService || ['manager', 'admin'].some((role) => body.roles.includes(role))
  if (mayExceed && held.has('projects.manage')) held.add('risk_appetite')
  return held
}

/** The keys of attackers. Each sequence has one or two of them. */
export const attackerScopes = [
  ['personnel.manage'],
  ['personnel.manage', 'projects.manage', 'workspace.read'],
  ['personnel.manage', 'workspace.manage'],
  scopes.filter((scope) => scope !== 'keys.manage'),
] as const

const [hr, chief] = [0, 1]
const [none, reader, admin] = [roleNames.length, 0, 3]

interface KnownAttack {
  readonly attacker: number
  readonly start: Start
  readonly steps: readonly Step[]
}

/** `attack take` is a step of the attacker; `admin give_role` one of the administrator. */
function knownAttack(attacker: number, role: number, lines: string): KnownAttack {
  const steps = lines.split(', ').map((line): Step => {
    const [who, kind = ''] = line.split(' ')
    const common = { person: 0, role: admin, field: 'email', flag: true } as const
    return { kind, attacker: who === 'attack' ? 0 : null, ...common }
  })
  return {
    attacker,
    start: { roles: [role, none], groupRole: none, members: [true, false] },
    steps,
  }
}

/** Sequences that gave the rights of an administrator to an attacker once. */
export const knownAttacks = [
  knownAttack(chief, reader, 'attack change, admin give_role, attack bind'),
  knownAttack(hr, none, 'attack change, admin give_role, attack bind'),
  knownAttack(chief, reader, 'attack take, admin give_role'),
  knownAttack(
    hr,
    admin,
    'attack change, attack depart, attack rejoin, attack bind, admin give_role',
  ),
  knownAttack(chief, reader, 'attack take, admin give_group_role'),
  knownAttack(
    chief,
    reader,
    'attack take, attack change_back, admin confirm_checked, admin give_role',
  ),
  knownAttack(chief, reader, 'attack take, admin correct, admin confirm_checked, admin give_role'),
  knownAttack(chief, reader, 'attack take, attack personal_key, admin repair, admin give_role'),
]
