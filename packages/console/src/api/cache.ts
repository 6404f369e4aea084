import { ProblemError } from '@muster/client'
import { type InfiniteData, type Query, QueryCache, QueryClient } from '@tanstack/react-query'

/** The nouns of the API: everything that is kept of one is kept under its name. */
export type Noun =
  | 'personnel'
  | 'groups'
  | 'projects'
  | 'risks'
  | 'issues'
  | 'tasks'
  | 'keys'
  | 'workspace'

let onSignedOut = () => {}
let holds = 0
let isSignedOut = false

/** What to do when the service no longer knows who is asking. */
export function whenSignedOut(react: () => void): void {
  onSignedOut = react
}

function noteSignedOut(): void {
  if (holds > 0) isSignedOut = true
  else onSignedOut()
}

/**
 * Keeps the page as it is while something stands on it that cannot be shown again, also when the
 * session ends meanwhile. Whoever is no longer signed in is told so once it is let go.
 */
export function holdPage(): () => void {
  holds += 1
  return () => {
    holds -= 1
    if (holds > 0 || !isSignedOut) return
    isSignedOut = false
    onSignedOut()
  }
}

/**
 * What was read from the API. It is shown for a moment while it is asked for anew, and never kept
 * beyond the page: a reload starts from nothing.
 */
export const cache = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof ProblemError && error.status === 401) noteSignedOut()
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The client has already tried again where that is of use.
      retry: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** How many pages of a list are asked for anew; whoever was farther down loads the rest again. */
const pagesMost = 20

/** Asks anew for all that is shown of these nouns. */
export async function refresh(...nouns: Noun[]): Promise<void> {
  for (const noun of nouns) {
    cache.setQueriesData<InfiniteData<unknown>>(
      { queryKey: [noun], predicate: isLong },
      (data) =>
        data && {
          pages: data.pages.slice(0, pagesMost),
          pageParams: data.pageParams.slice(0, pagesMost),
        },
    )
  }
  await Promise.all(nouns.map((noun) => cache.invalidateQueries({ queryKey: [noun] })))
}

const isLong = ({ state: { data } }: Query) =>
  typeof data === 'object' && data !== null && 'pages' in data
    ? (data.pages as readonly unknown[]).length > pagesMost
    : false
