import { afterQuiet, idle } from '#data/idle.ts'

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
    // The data of the first page has precedence.
    afterQuiet(() => void prefetch())
  })
}

async function prefetch(): Promise<void> {
  if (isSavingData()) return
  for (const load of parts) {
    await idle()
    // A page that needs the part loads it again, and says so if it fails.
    await load().catch(() => {})
  }
}

/** Chromium only: the user asked for less traffic. */
const isSavingData = () =>
  (navigator as { readonly connection?: { readonly saveData?: boolean } }).connection?.saveData ===
  true
