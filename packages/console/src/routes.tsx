import { Notifications } from '@mantine/notifications'
import { ProblemError } from '@muster/client'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'

import { homeOf } from '#data/home.ts'
import { rememberWorkspace, signInAddress } from '#data/known-workspace.ts'
import { noteLiveStart } from '#data/live-start.ts'
import { queryClient } from '#data/query-client.ts'
import { parseSearch, type Search, stringifySearch } from '#data/search.ts'
import { whoamiQuery } from '#data/whoami.ts'
import { Shell } from '#frame/shell.tsx'
import { claimDraft } from '#kit/form/draft.ts'
import { FrameBones, PageBones } from '#kit/parts/bones.tsx'
import { FrameFailed, PageFailed, PageMissing } from '#kit/parts/page-states.tsx'

/** The routes of the console. */
const root = createRootRoute({ component: Root, notFoundComponent: PageMissing })

/** Toasts can link to pages, so they are below the router. */
function Root() {
  return (
    <>
      <Notifications position="bottom-right" />
      <Outlet />
    </>
  )
}

const toSearch = (search: Record<string, unknown>) => search as Search

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: toSearch,
  component: lazyRouteComponent(() => import('#pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})
const workspaceSignIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/$workspace',
  validateSearch: toSearch,
  component: lazyRouteComponent(
    () => import('#pages/sign-in/sign-in-page.tsx'),
    'WorkspaceSignInPage',
  ),
})

/** Redirects to the sign-in page if there is no session. */
async function requireSession({ location }: { location: { href: string } }): Promise<void> {
  try {
    const whoami = await queryClient.ensureQueryData(whoamiQuery)
    noteLiveStart()
    rememberWorkspace(whoami)
    claimDraft(whoami)
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 401) throw error
    throw redirect(signInAddress({ back: location.href }))
  }
}

/** The parent of all routes that require a session and have the frame. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  pendingComponent: FrameBones,
  pendingMs: 0,
  errorComponent: FrameFailed,
  beforeLoad: requireSession,
})

/** A list on paper has no frame. */
const print = createRoute({
  getParentRoute: () => root,
  path: '/print/$list',
  validateSearch: toSearch,
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('#pages/print/print-page.tsx'), 'PrintPage'),
})

/** The changes on paper. */
const printChanges = createRoute({
  getParentRoute: () => root,
  path: '/print/changes',
  validateSearch: toSearch,
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('#pages/changes/print-page.tsx'), 'PrintChangesPage'),
})

/** A question after the sign-in has no frame. */
const firstPasskey = createRoute({
  getParentRoute: () => root,
  path: '/account/passkey',
  validateSearch: toSearch,
  beforeLoad: requireSession,
  component: lazyRouteComponent(
    () => import('#pages/account/first-passkey-page.tsx'),
    'FirstPasskeyPage',
  ),
})

/** The workspace whose Start page was opened in this tab. */
let started: string | null = null

async function rememberStart(): Promise<void> {
  const { workspace: own, key } = await queryClient.ensureQueryData(whoamiQuery)
  // A bound key sees a part of the workspace: Start has no steps for it.
  if (key?.project_ids) throw redirect({ to: '/overview', search: {}, replace: true })
  started = own.id
}

/**
 * Opens the first page of the user. A workspace without projects opens on Start, once in a tab, so
 * that the user can leave it.
 */
async function openHome(): Promise<void> {
  const whoami = await queryClient.ensureQueryData(whoamiQuery)
  if (whoami.usage.projects === 0 && started !== whoami.workspace.id)
    throw redirect({ to: '/start', search: {}, replace: true })
  const home = await homeOf(whoami)
  throw redirect({ to: home === 'work' ? '/my-work' : '/overview', search: {}, replace: true })
}

/** A service key has no work of its own: it gets the overview. */
async function requirePerson(): Promise<void> {
  const { person } = await queryClient.ensureQueryData(whoamiQuery)
  if (person === null) throw redirect({ to: '/overview', search: {}, replace: true })
}

const parent = { getParentRoute: () => signedIn, validateSearch: toSearch }

const signedInRoutes = [
  createRoute({
    ...parent,
    path: '/',
    beforeLoad: openHome,
  }),
  createRoute({
    ...parent,
    path: '/my-work',
    beforeLoad: requirePerson,
    component: lazyRouteComponent(() => import('#pages/work/work-page.tsx'), 'WorkPage'),
  }),
  createRoute({
    ...parent,
    path: '/overview',
    component: lazyRouteComponent(
      () => import('#pages/overview/overview-page.tsx'),
      'OverviewPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/changes',
    component: lazyRouteComponent(() => import('#pages/changes/changes-page.tsx'), 'ChangesPage'),
  }),
  createRoute({
    ...parent,
    path: '/start',
    beforeLoad: rememberStart,
    component: lazyRouteComponent(() => import('#pages/start/start-page.tsx'), 'StartPage'),
  }),
  createRoute({
    ...parent,
    path: '/risks',
    component: lazyRouteComponent(() => import('#nouns/risks/risks-page.tsx'), 'RisksPage'),
  }),
  createRoute({
    ...parent,
    path: '/projects/$project_id/risks/$risk_id',
    component: lazyRouteComponent(() => import('#nouns/risks/risk-page.tsx'), 'RiskPage'),
  }),
  createRoute({
    ...parent,
    path: '/issues',
    component: lazyRouteComponent(() => import('#nouns/issues/issues-page.tsx'), 'IssuesPage'),
  }),
  createRoute({
    ...parent,
    path: '/projects/$project_id/issues/$issue_id',
    component: lazyRouteComponent(() => import('#nouns/issues/issue-page.tsx'), 'IssuePage'),
  }),
  createRoute({
    ...parent,
    path: '/tasks',
    component: lazyRouteComponent(() => import('#nouns/tasks/tasks-page.tsx'), 'TasksPage'),
  }),
  createRoute({
    ...parent,
    path: '/projects/$project_id/tasks/$task_id',
    component: lazyRouteComponent(() => import('#nouns/tasks/task-page.tsx'), 'TaskPage'),
  }),
  createRoute({
    ...parent,
    path: '/projects',
    component: lazyRouteComponent(
      () => import('#nouns/projects/projects-page.tsx'),
      'ProjectsPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/projects/$project_id',
    component: lazyRouteComponent(() => import('#nouns/projects/project-page.tsx'), 'ProjectPage'),
  }),
  createRoute({
    ...parent,
    path: '/people',
    component: lazyRouteComponent(() => import('#nouns/people/people-page.tsx'), 'PeoplePage'),
  }),
  createRoute({
    ...parent,
    path: '/people/$user_id',
    component: lazyRouteComponent(() => import('#nouns/people/person-page.tsx'), 'PersonPage'),
  }),
  createRoute({
    ...parent,
    path: '/groups',
    component: lazyRouteComponent(() => import('#nouns/groups/groups-page.tsx'), 'GroupsPage'),
  }),
  createRoute({
    ...parent,
    path: '/groups/$group_id',
    component: lazyRouteComponent(() => import('#nouns/groups/group-page.tsx'), 'GroupPage'),
  }),
  createRoute({
    ...parent,
    path: '/keys',
    component: lazyRouteComponent(() => import('#nouns/keys/keys-page.tsx'), 'KeysPage'),
  }),
  createRoute({
    ...parent,
    path: '/keys/$key_id',
    component: lazyRouteComponent(() => import('#nouns/keys/key-page.tsx'), 'KeyPage'),
  }),
  /** The navigation says Settings, so people type it. */
  createRoute({
    ...parent,
    path: '/settings',
    beforeLoad: () => {
      throw redirect({ to: '/workspace', replace: true })
    },
  }),
  createRoute({
    ...parent,
    path: '/workspace',
    component: lazyRouteComponent(
      () => import('#pages/workspace/workspace-page.tsx'),
      'WorkspacePage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/workspace/sign-in',
    component: lazyRouteComponent(
      () => import('#pages/workspace/sign-in-page.tsx'),
      'SignInSettingsPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/workspace/usage',
    component: lazyRouteComponent(() => import('#pages/workspace/usage-page.tsx'), 'UsagePage'),
  }),
  createRoute({
    ...parent,
    path: '/access',
    component: lazyRouteComponent(() => import('#pages/access/access-page.tsx'), 'AccessPage'),
  }),
  createRoute({
    ...parent,
    path: '/audit',
    component: lazyRouteComponent(() => import('#pages/audit/audit-page.tsx'), 'AuditPage'),
  }),
  createRoute({
    ...parent,
    path: '/account',
    component: lazyRouteComponent(() => import('#pages/account/account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    ...parent,
    path: '/import',
    component: lazyRouteComponent(() => import('#pages/import/import-page.tsx'), 'ImportPage'),
  }),
  /** Every other path, so that the frame stays around the notice. */
  createRoute({ ...parent, path: '$', component: PageMissing }),
] as const

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    workspaceSignIn,
    print,
    printChanges,
    firstPasskey,
    signedIn.addChildren([...signedInRoutes]),
  ]),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: PageFailed,
  defaultPendingComponent: PageBones,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  scrollRestoration: true,
  scrollToTopSelectors: ['[data-scroll-restoration-id]'],
})

/** Redirects to the sign-in page, which returns to the current page afterwards. */
export function redirectToSignIn(): void {
  const { href, pathname } = router.state.location
  if (/^\/sign-in(?:\/|$)/.test(pathname)) return
  queryClient.clear()
  void router.navigate(signInAddress({ back: href }))
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
