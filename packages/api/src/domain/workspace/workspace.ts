import { isDeepStrictEqual } from 'node:util'

import { signInMethods, type Workspace, type WorkspacePatch } from '@muster/contract'

import { changeRights } from '#domain/auth/rights-growth'
import { refuseLockout } from '#domain/auth/sign-in-methods'
import type { Caller } from '#domain/engine/caller'
import { differences, applyPatch, refuseStale } from '#domain/engine/change'
import { invalid } from '#domain/engine/failure'
import { requestSweep } from '#storage/nouns/sweeps'
import {
  isKnownTimeZone,
  lockWorkspace,
  selectWorkspace,
  type StoredWorkspace,
  updateWorkspace,
} from '#storage/nouns/workspace'
import type { Write } from '#storage/statements/access'

import { refuseUnusableSlug } from './slugs.ts'

export function viewWorkspace(caller: Caller<'workspace.read'>): Promise<Workspace> {
  return caller.database.read(caller, async (read) => presentWorkspace(await selectWorkspace(read)))
}

const writable = ['name', 'time_zone', 'slug', 'policies'] as const

export function changeWorkspace(
  caller: Caller<'workspace.manage'>,
  { policies, ...patch }: WorkspacePatch,
): Promise<Workspace> {
  return caller.database.write(caller, async (write) => {
    const before = await lockWorkspace(write)
    refuseStale(caller, before)
    const current = presentWorkspace(before)
    const fields = applyPatch(current, patch, { writable })
    const next = { ...current, ...fields, policies: withPolicies(current.policies, policies) }
    const changed = differences(current, next)
    if (changed.length === 0) return current
    if (isMethodLost(current.policies, next.policies))
      await refuseLockout(write, next.policies.sign_in_methods)
    if (changed.includes('slug')) await checkSlug(write, caller, next.slug)
    if (changed.includes('time_zone')) await changeTimeZone(write, next.time_zone)
    await changeRights(write, caller, {
      isGrowth: isLooser(current.policies, next.policies),
      entries: [{ type: 'workspace.updated', reason: workspaceChange(changed, current, next) }],
    })
    const after = { ...next, status: before.status, updated_at: write.now, version: 0 }
    updateWorkspace(write, after)
    write.record({ type: 'workspace.updated', subject: current.id, changed })
    return presentWorkspace(after)
  })
}

/** Lets people sign in with passkeys. */
export async function allowPasskeys(caller: Caller<'workspace.manage'>): Promise<void> {
  const { policies } = await viewWorkspace(caller)
  const sign_in_methods = [...policies.sign_in_methods, 'passkey' as const]
  await changeWorkspace(caller, { policies: { sign_in_methods } })
}

export const allowsLinks = async (caller: Caller<'workspace.read'>) =>
  (await viewWorkspace(caller)).policies.sign_in_methods.includes('link')

type Policies = Workspace['policies']

/** The methods are stored in the order of the contract, so that another order is no change. */
function withPolicies(before: Policies, changes: Partial<Policies> = {}): Policies {
  const after = { ...before, ...changes }
  const { sign_in_methods: wanted } = after
  return { ...after, sign_in_methods: signInMethods.filter((method) => wanted.includes(method)) }
}

const isMethodLost = (before: Policies, after: Policies) =>
  before.sign_in_methods.some((method) => !after.sign_in_methods.includes(method))

/** Whether a policy allows more than before. Every policy needs a line. */
const loosened: Readonly<Record<keyof Policies, (before: Policies, after: Policies) => boolean>> = {
  key_days_max: (before, after) =>
    (after.key_days_max ?? Infinity) > (before.key_days_max ?? Infinity),
  session_days: (before, after) => after.session_days > before.session_days,
  session_idle_hours: (before, after) => after.session_idle_hours > before.session_idle_hours,
  sign_in_methods: (before, after) => isMethodLost(after, before),
}

const isLooser = (before: Policies, after: Policies) =>
  Object.values(loosened).some((isLoosened) => isLoosened(before, after))

/** The change for the audit log, such as `name, session_days 1 to 7`. */
function workspaceChange(changed: readonly string[], before: Workspace, after: Workspace): string {
  const old = new Map(Object.entries(before.policies))
  const policies = Object.entries(after.policies)
    .filter(([name, value]) => !isDeepStrictEqual(value, old.get(name)))
    .map(([name, value]) => `${name} ${textOf(old.get(name))} to ${textOf(value)}`)
  return [...changed.filter((name) => name !== 'policies'), ...policies].join(', ')
}

const textOf = (value: unknown) => (Array.isArray(value) ? value.join('+') : String(value))

/** A removed slug needs no check. */
async function checkSlug(write: Write, caller: Caller<never>, slug: string | null): Promise<void> {
  if (slug === null) return
  caller.slugLimit?.take(caller.workspaceId)
  await refuseUnusableSlug(write, slug)
}

/** The new zone can change today's date, so flags must be swept again. */
async function changeTimeZone(write: Write, timeZone: string): Promise<void> {
  if (!(await isKnownTimeZone(write, timeZone))) {
    const detail = 'must be an IANA time zone, such as Europe/Stockholm'
    throw invalid({ pointer: '/time_zone', code: 'unknown_time_zone', detail })
  }
  // Dates are other points now, so what was read for them is no longer valid.
  write.touch('risks', 'issues')
  requestSweep(write)
}

/** Omits the status: a suspended workspace accepts no requests. */
export function presentWorkspace(workspace: StoredWorkspace): Workspace {
  const { status: _, ...rest } = workspace
  return rest
}
