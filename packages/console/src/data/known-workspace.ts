import type { Whoami } from '@muster/contract'

/**
 * The workspace that people sign in to on this device. It has no credential. The id identifies it,
 * because a slug can later be that of another workspace.
 */
const storageKey = 'muster-workspace'

interface KnownWorkspace {
  readonly id: string
  readonly name: string
}

/** A session of a key is not remembered: the key names its workspace itself. */
export function rememberWorkspace({ key, workspace: { id, name } }: Whoami): void {
  if (key !== null) return
  try {
    localStorage.setItem(storageKey, JSON.stringify({ id, name } satisfies KnownWorkspace))
  } catch {
    // Then the sign-in page asks for the workspace.
  }
}

/** Null if none is known. */
function knownWorkspaceId(): string | null {
  try {
    const known = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as KnownWorkspace | null
    return typeof known?.id === 'string' ? known.id : null
  } catch {
    return null
  }
}

/** The address of the sign-in page: that of the known workspace, if there is one. */
export function signInAddress(search: { readonly back?: string }) {
  const workspaceId = knownWorkspaceId()
  return workspaceId === null
    ? ({ to: '/sign-in', search } as const)
    : ({ to: '/sign-in/$workspace', params: { workspace: workspaceId }, search } as const)
}
