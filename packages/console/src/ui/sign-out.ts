import { useNavigate } from '@tanstack/react-router'

import { signOut } from '#api/client.ts'
import { queryClient } from '#api/query-client.ts'

/** Signs out and clears the cache. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    await signOut()
    queryClient.clear()
    await navigate({ to: '/sign-in', search: {} })
  }
}
