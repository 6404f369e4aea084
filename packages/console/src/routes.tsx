import { ProblemError } from '@muster/client'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'

import { queryClient } from '#api/query-client.ts'
import { parseSearch, type Search, stringifySearch } from '#api/search.ts'
import { whoamiQuery } from '#api/whoami.ts'
import { PageFailed, PageMissing, PagePending } from '#ui/page-states.tsx'
import { Shell } from '#ui/shell.tsx'

/** The routes of the console. */
const root = createRootRoute({ component: Outlet, notFoundComponent: PageMissing })

const toSearch = (search: Record<string, unknown>) => search as Search

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: toSearch,
  component: lazyRouteComponent(() => import('#start/sign-in-page.tsx'), 'SignInPage'),
})

/** The parent of all routes that require a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  errorComponent: PageFailed,
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(whoamiQuery)
    } catch (error) {
      if (!(error instanceof ProblemError) || error.status !== 401) throw error
      throw redirect({ to: '/sign-in', search: { back: location.href } })
    }
  },
})

const parent = { getParentRoute: () => signedIn, validateSearch: toSearch }

const home = createRoute({
  ...parent,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/risks', search: {} })
  },
})
const start = createRoute({
  ...parent,
  path: '/start',
  component: lazyRouteComponent(() => import('#start/start-page.tsx'), 'StartPage'),
})
const risks = createRoute({
  ...parent,
  path: '/risks',
  component: lazyRouteComponent(() => import('#risks/risks-page.tsx'), 'RisksPage'),
})
const risk = createRoute({
  ...parent,
  path: '/projects/$project_id/risks/$risk_id',
  component: lazyRouteComponent(() => import('#risks/risk-page.tsx'), 'RiskPage'),
})
const issues = createRoute({
  ...parent,
  path: '/issues',
  component: lazyRouteComponent(() => import('#issues/issues-page.tsx'), 'IssuesPage'),
})
const issue = createRoute({
  ...parent,
  path: '/projects/$project_id/issues/$issue_id',
  component: lazyRouteComponent(() => import('#issues/issue-page.tsx'), 'IssuePage'),
})
const projects = createRoute({
  ...parent,
  path: '/projects',
  component: lazyRouteComponent(() => import('#projects/projects-page.tsx'), 'ProjectsPage'),
})
const project = createRoute({
  ...parent,
  path: '/projects/$project_id',
  component: lazyRouteComponent(() => import('#projects/project-page.tsx'), 'ProjectPage'),
})
const people = createRoute({
  ...parent,
  path: '/people',
  component: lazyRouteComponent(() => import('#people/people-page.tsx'), 'PeoplePage'),
})
const person = createRoute({
  ...parent,
  path: '/people/$user_id',
  component: lazyRouteComponent(() => import('#people/person-page.tsx'), 'PersonPage'),
})
const groups = createRoute({
  ...parent,
  path: '/groups',
  component: lazyRouteComponent(() => import('#groups/groups-page.tsx'), 'GroupsPage'),
})
const group = createRoute({
  ...parent,
  path: '/groups/$group_id',
  component: lazyRouteComponent(() => import('#groups/group-page.tsx'), 'GroupPage'),
})
const keys = createRoute({
  ...parent,
  path: '/keys',
  component: lazyRouteComponent(() => import('#keys/keys-page.tsx'), 'KeysPage'),
})
const key = createRoute({
  ...parent,
  path: '/keys/$key_id',
  component: lazyRouteComponent(() => import('#keys/key-page.tsx'), 'KeyPage'),
})
const workspace = createRoute({
  ...parent,
  path: '/workspace',
  component: lazyRouteComponent(() => import('#workspace/workspace-page.tsx'), 'WorkspacePage'),
})
const imports = createRoute({
  ...parent,
  path: '/import',
  component: lazyRouteComponent(() => import('#import/import-page.tsx'), 'ImportPage'),
})

const signedInRoutes = [
  home,
  start,
  risks,
  risk,
  issues,
  issue,
  projects,
  project,
  people,
  person,
  groups,
  group,
  keys,
  key,
  workspace,
  imports,
] as const

export const router = createRouter({
  routeTree: root.addChildren([signIn, signedIn.addChildren([...signedInRoutes])]),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: PageFailed,
  defaultPendingComponent: PagePending,
  scrollRestoration: true,
})

/** Redirects to the sign-in page, which returns to the current page afterwards. */
export function redirectToSignIn(): void {
  const { href, pathname } = router.state.location
  if (pathname === '/sign-in') return
  queryClient.clear()
  void router.navigate({ to: '/sign-in', search: { back: href } })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
