import { queryClient } from '#data/query-client.ts'

import type { router } from './routes.tsx'

/** One module of each chunk that is not in the first load, the likeliest first. */
const parts: readonly (() => Promise<unknown>)[] = [
  // The letters of other alphabets.
  () => import('@fontsource-variable/inter/wght.css'),
  () => import('#nouns/risks/new-risk-dialog.tsx'),
  () => import('#nouns/risks/risk-page.tsx'),
  () => import('#nouns/issues/issues-page.tsx'),
  () => import('#frame/command-palette.tsx'),
  () => import('#frame/keyboard-help.tsx'),
  () => import('#pages/workspace/workspace-page.tsx'),
  () => import('#pages/access/access-page.tsx'),
  () => import('#pages/account/account-page.tsx'),
]

/** Loads the rest of the console after the first page, so that no later click waits for code. */
export function prefetchWhenIdle({ subscribe }: Pick<typeof router, 'subscribe'>): void {
  const stop = subscribe('onRendered', () => {
    stop()
    afterQuiet(() => void prefetch())
  })
}

const quietMs = 200

/** The data of the first page has precedence. */
function afterQuiet(act: () => void): void {
  const check = () => (queryClient.isFetching() > 0 ? afterQuiet(act) : idle().then(act))
  setTimeout(() => void check(), quietMs)
}

async function prefetch(): Promise<void> {
  if (isSavingData()) return
  for (const load of parts) {
    await idle()
    // A page that needs the part loads it again, and says so if it fails.
    await load().catch(() => {})
  }
}

/** Safari has no requestIdleCallback. */
const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve())
    else setTimeout(resolve, quietMs)
  })

/** Chromium only: the user asked for less traffic. */
const isSavingData = () =>
  (navigator as { readonly connection?: { readonly saveData?: boolean } }).connection?.saveData ===
  true
