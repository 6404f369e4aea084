import { ProblemError } from '@muster/client'
import type { AccessEntry, AccessList, NewSignInLink, Passkey } from '@muster/contract'

import { runAction } from '#data/change/action.ts'
import { client } from '#data/client.ts'
import { invalidate } from '#data/query-client.ts'
import { showSuccess } from '#kit/feedback/toast.tsx'
import { t } from '#text/index.ts'

export const subjectOf = ({ user_id, group_id }: AccessEntry) => user_id ?? group_id ?? ''

/** The list with this entry, in the place of the previous entry of its person or group. */
export function withEntry({ entries }: AccessList, entry: AccessEntry): AccessEntry[] {
  const isKnown = entries.some((each) => subjectOf(each) === subjectOf(entry))
  if (!isKnown) return [...entries, entry]
  return entries.map((each) => (subjectOf(each) === subjectOf(entry) ? entry : each))
}

export const withoutEntry = ({ entries }: AccessList, entry: AccessEntry) =>
  entries.filter((each) => subjectOf(each) !== subjectOf(entry))

interface Replacement {
  /** The list as the user saw it. Its number is sent with the change. */
  readonly seen: AccessList
  readonly entries: readonly AccessEntry[]
  readonly successMessage: string
  /** Runs if someone else has changed the list meanwhile. */
  readonly onConflict: () => void
}

export async function replaceAccess(replacement: Replacement): Promise<void> {
  const { seen, entries, successMessage, onConflict } = replacement
  try {
    await client.access.replace({ body: { as_of: seen.as_of, entries: [...entries] } })
    showSuccess(successMessage)
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'version_mismatch') throw error
    onConflict()
  } finally {
    // `keys` includes whoami: the user may have changed their own rights.
    await invalidate('access', 'audit', 'keys')
  }
}

/** The response has the link. It goes to the caller only and is not cached. */
export const createLink = (userId: string, purpose: NewSignInLink['purpose']) =>
  client.links.create({ params: { user_id: userId }, body: { purpose } })

export const endSessions = (userId: string, name: string) =>
  runAction({
    send: () => client.sessions.end_of_person({ params: { user_id: userId } }),
    invalidates: ['access', 'audit'],
    successMessage: t('end-sessions.done', { name }),
  })

export const removeIdentity = (userId: string, name: string) =>
  runAction({
    send: () => client.person_sign_in.remove_identity({ params: { user_id: userId } }),
    invalidates: ['access', 'audit'],
    successMessage: t('person-identity.removed', { name }),
  })

export const removePasskeyOf = (userId: string, { id, name }: Pick<Passkey, 'id' | 'name'>) =>
  runAction({
    send: () =>
      client.person_sign_in.remove_passkey({ params: { user_id: userId, passkey_id: id } }),
    invalidates: ['access', 'audit'],
    successMessage: t('passkeys.removed', { name }),
  })

export const confirmIdentity = (userId: string, name: string) =>
  runAction({
    send: () => client.sign_in.confirm({ params: { user_id: userId } }),
    invalidates: ['access', 'personnel', 'audit'],
    successMessage: t('person-access.confirmed', { name }),
  })
