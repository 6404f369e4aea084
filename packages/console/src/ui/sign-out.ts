import { useNavigate } from '@tanstack/react-router'

import { queryClient } from '#api/query-client.ts'
import { signOut } from '#api/sign-in.ts'
import { whoamiQuery } from '#api/whoami.ts'

/** The workspace of the signed-in person; null for a key, which names its workspace itself. */
export function personWorkspace(): string | null {
  const whoami = queryClient.getQueryData(whoamiQuery.queryKey)
  return whoami?.key === null ? whoami.workspace.id : null
}

/** Signs out and clears the cache. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    await signOut()
    const workspaceId = personWorkspace()
    queryClient.clear()
    await (workspaceId === null
      ? navigate({ to: '/sign-in', search: {} })
      : navigate({
          to: '/sign-in/$workspace_id',
          params: { workspace_id: workspaceId },
          search: {},
        }))
  }
}
