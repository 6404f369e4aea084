import { useNavigate } from '@tanstack/react-router'

import { queryClient } from '#api/query-client.ts'
import { signOut } from '#api/sign-in.ts'
import { signInAddress } from '#sign-in/known-workspace.ts'

import { discardDraft } from './draft.ts'
import { discardOrders } from './list/order.ts'

/** Signs out, and clears the cache, the draft and the orders of lists. The device keeps the workspace. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    await signOut()
    discardDraft()
    discardOrders()
    queryClient.clear()
    await navigate(signInAddress({}))
  }
}
