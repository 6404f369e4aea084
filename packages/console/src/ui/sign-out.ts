import { useNavigate } from '@tanstack/react-router'

import { cache } from '#api/cache.ts'
import { signOut } from '#api/client.ts'

/** Signs out, and forgets all that was read. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    await signOut()
    cache.clear()
    await navigate({ to: '/sign-in', search: {} })
  }
}
