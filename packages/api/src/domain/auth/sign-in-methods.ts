/** The policy `sign_in_methods`: the ways to sign in to the console that a workspace allows. */

import { type Session, type SignInMethod } from '@muster/contract'

import type { Origin } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import {
  hasAccountAmong,
  hasLastingKey,
  hasPasskeyAmong,
  selectSignInMethods,
} from '#storage/nouns/sign-in-methods'
import type { Read, Write } from '#storage/statements/access'

import { selectActiveAdministrators } from './grants.ts'
import { failedSignIn, type RefusalLog } from './refusal-log.ts'

const methodOf = {
  key: 'key',
  link: 'link',
  passkey: 'passkey',
  oidc: 'provider',
} as const satisfies Record<Session['method'], SignInMethod>

/** An unknown workspace allows everything: the credential decides, and is unknown, too. */
export async function isMethodAllowed(read: Read, method: Session['method']): Promise<boolean> {
  const allowed = await selectSignInMethods(read)
  return allowed === null || allowed.includes(methodOf[method])
}

interface RefusedSignIn {
  readonly workspaceId: string
  readonly origin: Origin
  readonly method: Session['method']
}

/**
 * Records a sign-in by a method that is not allowed, and refuses it. The sign-in page shows what is
 * allowed, so the reason reveals nothing.
 */
export function refuseMethod(refusals: RefusalLog, signIn: RefusedSignIn): never {
  const { workspaceId, origin, method } = signIn
  const reason = `${methodOf[method]}_not_allowed`
  refusals.record(failedSignIn({ workspaceId, reason, origin }))
  throw new Failure('sign_in_method_not_allowed')
}

/** Refuses a link that could neither sign the person in nor add a passkey that does. */
export async function refuseUselessLink(read: Read): Promise<void> {
  const allowed = await selectSignInMethods(read)
  if (allowed?.some((method) => method === 'link' || method === 'passkey')) return
  const remedy = 'The operator can allow passkeys: `admin sign-in-link --allow-passkeys`.'
  const detail = `The workspace allows neither links nor passkeys. ${remedy}`
  throw new Failure('sign_in_method_not_allowed', detail)
}

/**
 * Refuses methods by which no administrator could sign in. A link lets any administrator in,
 * because the operator can create one.
 */
export async function refuseLockout(write: Write, methods: readonly SignInMethod[]): Promise<void> {
  const administrators = await selectActiveAdministrators(write)
  const checks: Readonly<Record<SignInMethod, () => Promise<boolean>>> = {
    link: async () => administrators.length > 0,
    passkey: () => hasPasskeyAmong(write, administrators),
    provider: () => hasAccountAmong(write, administrators),
    key: () => hasLastingKey(write, 'workspace.manage', administrators),
  }
  for (const method of methods) if (await checks[method]()) return
  throw new Failure('no_administrator_sign_in')
}
