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
let signInHandler = () => {}
const deferrals = new Set<{ readonly asks: boolean }>()
let isSignOutPending = false

interface SignedOutHandlers {
  /** Leaves the page for the sign-in page. */
  readonly leave: () => void
  /** Asks for a sign-in on the page. */
  readonly ask: () => void
}

/** Sets what happens when the service answers 401. */
export function onSignedOut({ leave, ask }: SignedOutHandlers): void {
  signedOutHandler = leave
  signInHandler = ask
}

function handleSignedOut(): void {
  if (deferrals.size === 0) {
    signedOutHandler()
    return
  }
  const isNew = !isSignOutPending
  isSignOutPending = true
  if (isNew && [...deferrals].every(({ asks }) => asks)) signInHandler()
}

/**
 * Defers leaving the page while it has something that would be lost, such as a new secret or typed
 * text. With `asks`, the person is asked to sign in on the page. Call the returned function to
 * release it; a sign-out in between is then handled.
 */
export function deferSignOut({ asks }: { readonly asks: boolean }): () => void {
  const deferral = { asks }
  deferrals.add(deferral)
  return () => {
    deferrals.delete(deferral)
    if (deferrals.size > 0 || !isSignOutPending) return
    isSignOutPending = false
    signedOutHandler()
  }
}

/** After the person declined to sign in on the page: they leave it when nothing would be lost. */
export function expectSignOut(): void {
  isSignOutPending = true
}

/** After a sign-in on the page: the failed reads are repeated. */
export function resumeSession(): void {
  isSignOutPending = false
  void queryClient.invalidateQueries()
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

let ownChanges = 0

/** The number of changes of the user up to now. */
export const ownChangeCount = () => ownChanges

/** Marks all cached data of these nouns as stale and refetches what is on screen. */
export async function invalidate(...nouns: Noun[]): Promise<void> {
  ownChanges++
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
