import assert from 'node:assert/strict'

import { limits, type Passkey, type PasskeyList } from '@muster/contract'

import { type Caller, personOf } from '#domain/engine/caller'
import { Failure, invalid } from '#domain/engine/failure'
import { findPerson } from '#domain/roster/person'
import {
  deletePasskey,
  insertPasskey,
  selectPasskeysOfPerson,
  type StoredPasskey,
  updatePasskeyName,
} from '#storage/nouns/passkeys'
import { lockActivePerson } from '#storage/nouns/personnel'
import { deleteOldFlows, insertFlow, takeFlow } from '#storage/nouns/sign-in-flows'
import { selectWorkspace } from '#storage/nouns/workspace'
import type { Read } from '#storage/statements/access'

import { auditUnnumbered } from './audit.ts'
import { flowHashOf, flowsMax, issueFlowToken } from './flow-token.ts'
import {
  challengeMinutes,
  type RegistrationAnswer,
  registrationOptions,
  verifyRegistration,
} from './relying-party.ts'
import type { Proof } from './sessions.ts'

export const presentPasskey = ({ id, name, last_used_at, created_at }: StoredPasskey): Passkey => ({
  id,
  name,
  last_used_at,
  created_at,
})

async function passkeyList(read: Read, userId: string): Promise<PasskeyList> {
  const passkeys = await selectPasskeysOfPerson(read, userId)
  return { data: passkeys.map(presentPasskey) }
}

export function listPasskeys(caller: Caller<'person'>): Promise<PasskeyList> {
  const userId = personOf(caller)
  return caller.database.read(caller, (read) => passkeyList(read, userId))
}

export function renamePasskey(
  caller: Caller<'person'>,
  id: string,
  name: string,
): Promise<Passkey> {
  const userId = personOf(caller)
  return caller.database.writeUnnumbered(caller, async (read) => {
    const renamed = await updatePasskeyName(read, { id, userId }, name)
    if (renamed === null) throw passkeyNotFound(id)
    return presentPasskey(renamed)
  })
}

export function removePasskey(caller: Caller<'person'>, id: string): Promise<PasskeyList> {
  const userId = personOf(caller)
  return caller.database.writeUnnumbered(caller, async (read) => {
    if (!(await deletePasskey(read, { id, userId }))) throw passkeyNotFound(id)
    await auditUnnumbered(read, caller, { type: 'passkey.removed', userId, subjectId: id })
    return passkeyList(read, userId)
  })
}

const passkeyNotFound = (id: string) => new Failure('not_found', `You have no passkey ${id}.`)

/** Starts a registration. The token is for a cookie, which binds the answer to this browser. */
export async function beginRegistration(caller: Caller<'person'>) {
  const userId = personOf(caller)
  const { token, hash } = issueFlowToken()
  const { person, workspace, existing } = await caller.database.read(caller, async (read) => ({
    person: await findPerson(read, userId),
    workspace: await selectWorkspace(read),
    existing: await selectPasskeysOfPerson(read, userId),
  }))
  refuseMorePasskeys(existing)
  const options = await registrationOptions(originOf(caller), {
    userId,
    // Browsers show it in a list of all passkeys of the domain, which can be of many workspaces.
    userName: `${person.email ?? person.name} (${workspace.name})`,
    displayName: person.name,
    existing,
  })
  const data = { challenge: options.challenge, user_id: userId }
  await caller.database.writeUnnumbered({ workspaceId: caller.workspaceId }, async (read) => {
    await deleteOldFlows(read, flowsMax)
    await insertFlow(read, { hash, kind: 'passkey_registration', data, minutes: challengeMinutes })
  })
  return { options, token }
}

interface Registration {
  readonly token: string | null
  readonly name: string
  readonly response: RegistrationAnswer
  /** The one-time link that stands for a session, used up with the passkey. */
  readonly link?: Pick<Proof, 'use'>
}

/** Stores a passkey whose answer is valid for the challenge, which works once. */
export async function addPasskey(
  caller: Caller<'person'>,
  { token, name, response, link }: Registration,
): Promise<Passkey> {
  const userId = personOf(caller)
  const challenge = token === null ? null : await takeChallenge(caller, token)
  const credential =
    challenge === null ? null : await verifyRegistration(originOf(caller), response, challenge)
  if (credential === null) throw notVerified()
  return caller.database.writeUnnumbered(caller, async (read) => {
    if (!(await lockActivePerson(read, userId))) throw new Failure('session_ended')
    if (link && !(await link.use(read))) throw new Failure('sign_in_refused')
    refuseMorePasskeys(await selectPasskeysOfPerson(read, userId))
    const passkey = await insertPasskey(read, {
      user_id: userId,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: [...(credential.transports ?? [])],
      name,
    })
    if (passkey === null) throw notVerified()
    await auditUnnumbered(read, caller, {
      type: 'passkey.created',
      userId,
      subjectId: passkey.id,
      reason: link ? 'link' : null,
    })
    return presentPasskey(passkey)
  })
}

/** The challenge of a registration that this person began; null for any other. */
function takeChallenge({ database, workspaceId, actor }: Caller<'person'>, token: string) {
  return database.writeUnnumbered({ workspaceId }, async (read) => {
    const flow = { hash: flowHashOf(token), kind: 'passkey_registration' } as const
    // The cast holds because `beginRegistration` stored the data.
    const data = (await takeFlow(read, flow)) as { challenge: string; user_id: string } | null
    return data?.user_id === actor.user_id ? data.challenge : null
  })
}

function refuseMorePasskeys(existing: readonly StoredPasskey[]): void {
  const limit = limits.passkeysMax
  if (existing.length < limit) return
  const detail = `You have ${existing.length} passkeys. Remove one first.`
  throw new Failure('quota_exceeded', detail, { quota: 'passkeys', limit })
}

const notVerified = () =>
  invalid({
    pointer: '/response',
    code: 'not_verified',
    detail: 'must be the answer of a new passkey to the last options',
  })

function originOf({ publicUrl }: Caller<never>): string {
  assert(publicUrl, 'passkeys belong to the public URL')
  return publicUrl
}
