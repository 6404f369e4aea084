import type { Edit } from './edit.ts'

const routesTest = 'packages/console/test/routes.test.ts'

/** The steps of "Add a page to the console" in CONTRIBUTING.md: the page of the sites. */
export const pageEdits: readonly Edit[] = [
  {
    file: 'packages/console/src/routes.tsx',
    inserts: [
      [
        "'TasksPage'),\n  }),\n",
        `  createRoute({
    ...parent,
    path: '/sites',
    component: lazyRouteComponent(() => import('#pages/sites/sites-page.tsx'), 'SitesPage'),
  }),
`,
      ],
    ],
    foundBy: routesTest,
  },
  {
    file: 'packages/api/src/http/site/console.ts',
    inserts: [["  'tasks',\n", "  'sites',\n"]],
    foundBy: routesTest,
  },
  {
    file: 'packages/console/src/pages/sites/sites-page.tsx',
    inserts: [
      [
        '',
        `
import { EmptyState, Page } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

export function SitesPage() {
  return (
    <Page title={t('sites.title')}>
      <EmptyState title={t('sites.none')} advice={t('sites.none.about')} />
    </Page>
  )
}`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/console/src/text/en/sites.ts',
    inserts: [
      [
        '',
        `
export const sites = {
  'sites.title': 'Sites',
  'sites.none': 'No sites here',
  'sites.none.about': 'Your organisation works at no site yet.',
} as const`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/console/src/text/en/index.ts',
    inserts: [
      ["from './sign-in.ts'\n", "import { sites } from './sites.ts'\n"],
      ['  ...signIn,\n', '  ...sites,\n'],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'e2e/sites.test.ts',
    inserts: [
      [
        '',
        `
import { test } from 'node:test'

import { signIn, startEnvironment } from './support/environment.ts'

const env = await startEnvironment()

test('shows that there are no sites', async () => {
  const { page } = await signIn(env, env.keys.manager)
  await page.goto(\`\${env.base}/sites\`)
  await page.getByRole('heading', { name: 'Sites', exact: true }).waitFor()
  await page.getByText('No sites here').waitFor()
})`,
      ],
    ],
    foundBy: routesTest,
  },
  {
    file: 'e2e/every-page.test.ts',
    inserts: [["  '/tasks': '/tasks',\n", "  '/sites': '/sites',\n"]],
    foundBy: routesTest,
  },
]
