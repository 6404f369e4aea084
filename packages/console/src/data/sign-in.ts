import type { SignInMethod } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { sendToRoute } from './browser-routes.ts'

/** Exchanges a key for a session cookie. The key is not stored. */
export async function signInWithKey(key: string): Promise<void> {
  await sendToRoute('/session', { method: 'POST', headers: { authorization: `Bearer ${key}` } })
}

export async function signOut(): Promise<void> {
  await sendToRoute('/session', { method: 'DELETE' })
}

const pathOf = (workspaceId: string) => `/sign-in/${encodeURIComponent(workspaceId)}`

/** Whom a one-time link signs in, and where. */
export interface LinkPreview {
  readonly workspace: { readonly name: string }
  readonly person: { readonly name: string }
}

/** Reads a link without using it up. */
export const linkPreviewQuery = (workspaceId: string, token: string) =>
  queryOptions({
    queryKey: ['sign-in', 'link', token],
    queryFn: async () => {
      const request = { method: 'POST', body: { token } } as const
      return (await sendToRoute(`${pathOf(workspaceId)}/link/preview`, request)) as LinkPreview
    },
    staleTime: Infinity,
  })

/** Uses up a one-time link. */
export async function signInWithLink(workspaceId: string, token: string): Promise<void> {
  await sendToRoute(`${pathOf(workspaceId)}/link`, { method: 'POST', body: { token } })
}

/** Where the sign-in at the identity provider starts. It returns to a path of the console. */
export const providerPath = (workspaceId: string, returnTo: string) =>
  startPath(workspaceId, { return_to: returnTo })

/** Where a step-up starts: the provider asks for a new authentication. */
export const stepUpPath = (workspaceId: string, returnTo: string) =>
  startPath(workspaceId, { return_to: returnTo, step_up: '1' })

const startPath = (workspaceId: string, query: Record<string, string>) =>
  `${pathOf(workspaceId)}/oidc/start?${new URLSearchParams(query).toString()}`

export interface SignInMethods {
  readonly workspace: { readonly id: string; readonly name: string }
  readonly has_provider: boolean
  readonly allowed_methods: readonly SignInMethod[]
}

/** The name of the workspace, and the ways to sign in to it. */
export const signInMethodsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['sign-in', 'methods', workspaceId],
    queryFn: async () => (await sendToRoute(`${pathOf(workspaceId)}/methods`)) as SignInMethods,
    staleTime: 60_000,
  })

/** The id of the only workspace of the service; null if there are several. */
export const soleWorkspaceQuery = queryOptions({
  queryKey: ['sign-in', 'workspaces'],
  queryFn: async () =>
    ((await sendToRoute('/sign-in/workspaces')) as { workspace_id: string | null }).workspace_id,
  staleTime: 60_000,
})
