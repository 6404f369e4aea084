import { ProblemError } from '@muster/client'
import { type InfiniteData, type Query, QueryCache, QueryClient } from '@tanstack/react-query'

/** The nouns of the API. Each is the first element of the query keys of its data. */
export type Noun =
  | 'personnel'
  | 'groups'
  | 'projects'
  | 'risks'
  | 'issues'
  | 'tasks'
  | 'keys'
  | 'access'
  | 'audit'
  | 'account'
  | 'workspace'

let signedOutHandler = () => {}
let deferrals = 0
let isSignOutPending = false

/** Sets the handler that runs when the service answers 401. */
export function onSignedOut(handler: () => void): void {
  signedOutHandler = handler
}

function handleSignedOut(): void {
  if (deferrals > 0) isSignOutPending = true
  else signedOutHandler()
}

/**
 * Defers the sign-out handler while the page shows something that cannot be shown again, such as a
 * new secret. Call the returned function to release it; a sign-out in between is then
 * handled.
 */
export function deferSignOut(): () => void {
  deferrals += 1
  return () => {
    deferrals -= 1
    if (deferrals > 0 || !isSignOutPending) return
    isSignOutPending = false
    signedOutHandler()
  }
}

/**
 * Cached responses of the API. Stale data is shown while it is refetched. Nothing is persisted: a
 * reload starts with an empty cache.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof ProblemError && error.status === 401) handleSignedOut()
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The API client already retries.
      retry: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** The maximum number of pages refetched per list. Further pages are dropped and load on scroll. */
const refetchedPagesMax = 20

/** Marks all cached data of these nouns as stale and refetches what is on screen. */
export async function invalidate(...nouns: Noun[]): Promise<void> {
  for (const noun of nouns) {
    queryClient.setQueriesData<InfiniteData<unknown>>(
      { queryKey: [noun], predicate: hasManyPages },
      (data) =>
        data && {
          pages: data.pages.slice(0, refetchedPagesMax),
          pageParams: data.pageParams.slice(0, refetchedPagesMax),
        },
    )
  }
  await Promise.all(nouns.map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })))
}

const hasManyPages = ({ state: { data } }: Query) =>
  typeof data === 'object' && data !== null && 'pages' in data
    ? (data.pages as readonly unknown[]).length > refetchedPagesMax
    : false
