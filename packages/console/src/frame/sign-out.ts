import { useNavigate } from '@tanstack/react-router'

import { signInAddress } from '#data/known-workspace.ts'
import { discardOrders } from '#data/order.ts'
import { queryClient } from '#data/query-client.ts'
import { signOut } from '#data/sign-in.ts'
import { discardDraft } from '#kit/form/draft.ts'

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
