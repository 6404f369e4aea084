import { t } from '#text/index.ts'

import { showSuccess } from './toast.tsx'

/** Copies the address of a page of the console. */
export async function copyLink(path: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.origin + path)
    showSuccess(t('copy.link.done'))
  } catch {
    // The browser may refuse; the user can copy the address bar.
    showSuccess(t('copy.link.failed'))
  }
}
