import assert from 'node:assert/strict'
import { test } from 'node:test'

import * as fc from 'fast-check'

import { bindAccount } from '#domain/auth/provider/bind-account'
import { Refusal } from '#domain/auth/provider/refusal'
import { selectBoundPerson, selectProvider } from '#storage/nouns/sign-in'
import { name as sessionName } from '#test/auth/browser'
import { signInPerson } from '#test/auth/people'
import { ProviderBrowser } from '#test/auth/provider/provider-browser'
import { startProviderHost } from '#test/auth/provider/provider-host'
import { seed, size } from '#test/support/size'
import type { newWorkspace } from '#test/support/workspace'

import {
  attackerScopes,
  knownAttacks,
  Play,
  rightsOf,
  type SignIn,
  type Start,
  anyStart,
  type Step,
  anyStep,
  type World,
} from './escalation-play.ts'

/**
 * No escalation through identities: attackers with few rights change emails and external ids, and
 * sign in with their own accounts at the provider. An honest administrator gives roles, and
 * confirms genuine identities only. No credential of the attackers has a right that they lack.
 */

type Home = Awaited<ReturnType<typeof newWorkspace>>

const place = await startProviderHost()
const { host, base, home, other, accounts, configure } = place

/** The complete sign-in with the provider, over HTTP. */
const atProvider =
  ({ id }: Home): SignIn =>
  async (subject, claims) => {
    accounts.set(subject, { ...claims, email_verified: true })
    const browser = new ProviderBrowser(base, id, subject)
    await browser.signIn()
    return browser.cookies.has(sessionName) ? browser.console : null
  }

/** What the callback does after it has verified the claims, without requests to the provider. */
const withVerifiedClaims =
  (workspace: Home): SignIn =>
  async (subject, claims) => {
    const tenant = { workspaceId: workspace.id }
    const provider = await host.owner.read(tenant, selectProvider)
    assert.ok(provider)
    const profile = { email: claims.email, isEmailVerified: true, externalId: claims.external_id }
    const account = {
      issuer: provider.issuer,
      subject,
      secondsSinceAuthentication: 0,
      profile: async () => profile,
    }
    const origin = { network: null, userAgent: null }
    try {
      const bound = await host.owner.read(tenant, (read) => selectBoundPerson(read, account))
      const unbound = { ...tenant, provider, account, profile, origin }
      const userId = bound ?? (await bindAccount(host.owner, unbound))
      return await signInPerson(host, workspace, userId)
    } catch (error) {
      const isInactive = error instanceof assert.AssertionError
      assert.ok(error instanceof Refusal || isInactive, String(error))
      return null
    }
  }

async function worldOf(workspace: Home, signIn: SignIn): Promise<World> {
  const quota = 'update workspace_counters set groups_max = 1000000 where workspace_id = $1'
  await host.sql.query(quota, [workspace.uuid])
  const attackers = await Promise.all(attackerScopes.map((held) => workspace.key(...held)))
  const rights = await Promise.all(attackers.map(async (key) => [...(await rightsOf(key))]))
  return { administrator: await workspace.manager(), attackers, rights, signIn }
}

const byEmail = { match: 'email', first_sign_in: 'refuse' }
const byExternalId = { match: 'external_id', first_sign_in: 'reader' }

const attacker = fc.nat(attackerScopes.length - 1)

interface Run {
  readonly sequences: number
  readonly seed: number
}

/** Tries the known attacks and random sequences. Returns how many credentials attackers got. */
async function assertNoEscalation(world: World, run: Run): Promise<number> {
  let taken = 0
  const examples = knownAttacks.map((known): [number[], Start, Step[]] => [
    [known.attacker],
    known.start,
    [...known.steps],
  ])
  const sequence = fc.asyncProperty(
    fc.uniqueArray(attacker, { minLength: 1, maxLength: 2 }),
    anyStart,
    fc.array(anyStep, { minLength: 3, maxLength: 6 }),
    async (chosen, opening, steps) => {
      const team = chosen.flatMap((index) => world.attackers[index] ?? [])
      const play = new Play(world, team)
      await play.begin(opening)
      for (const each of steps) await play.perform(each)
      const own = new Set(chosen.flatMap((index) => world.rights[index] ?? []))
      const credentials = await play.end()
      taken += credentials.length
      for (const credential of credentials) {
        const extra = [...(await rightsOf(credential))].filter((right) => !own.has(right))
        assert.deepEqual(extra, [], 'attackers got rights')
      }
    },
  )
  const numRuns = run.sequences + examples.length
  await fc.assert(sequence, { numRuns, seed: run.seed, endOnFailure: true, examples })
  return taken
}

await configure(await home.manager(), byEmail)
await configure(await other.manager(), byExternalId)

test('no account gets rights through a changed identity, at a real provider', async (t) => {
  const world = await worldOf(home, atProvider(home))
  const sequences = size(2, 200)
  const taken = await assertNoEscalation(world, { sequences, seed })
  t.diagnostic(`${sequences} sequences; attackers got ${taken} credentials without more rights`)
})

test('no account gets rights through a changed identity, with verified claims', async (t) => {
  const worlds = [
    await worldOf(home, withVerifiedClaims(home)),
    await worldOf(other, withVerifiedClaims(other)),
  ]
  const sequences = Number(process.env['RUNS'] ?? size(20, 10_000))
  const share = Math.ceil(sequences / worlds.length)
  const taken = await Promise.all(
    worlds.map((world, at) => assertNoEscalation(world, { sequences: share, seed: seed + at })),
  )
  const sum = taken.reduce((one, next) => one + next, 0)
  t.diagnostic(`${sequences} sequences; attackers got ${sum} credentials without more rights`)
})
