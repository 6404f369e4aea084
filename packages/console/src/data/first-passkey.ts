import { useLocalStorage } from '@mantine/hooks'

import { stepUpQuery } from './account.ts'
import { supportsPasskeys } from './passkeys.ts'
import { queryClient } from './query-client.ts'
import { whoamiQuery } from './whoami.ts'

/**
 * Whether to ask for a passkey at once: the person manages access and has nothing to sign in again
 * with. After 10 minutes the link does not count as a recent sign-in, so they could not add one.
 */
export async function isPasskeyDue(): Promise<boolean> {
  if (!supportsPasskeys()) return false
  try {
    const { scopes } = await queryClient.ensureQueryData(whoamiQuery)
    if (!scopes.includes('workspace.manage')) return false
    const methods = await queryClient.ensureQueryData(stepUpQuery)
    return methods.allows_passkeys && !methods.has_passkey && !methods.has_account
  } catch {
    // The next page shows what is wrong.
    return false
  }
}

/** The user id of the person who declined a passkey in this browser. */
export const useDeclinedPasskey = () =>
  useLocalStorage({
    key: 'muster-passkey-declined',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
