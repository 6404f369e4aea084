import { type LinkProps, useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'

interface Link {
  readonly to?: string | undefined
  readonly params?: unknown
}

/** Handles a click as on a link: it opens the page, with Ctrl or ⌘ in a new tab. */
export function useFollowLink() {
  const router = useRouter()
  return (link: Link) =>
    ({ ctrlKey, metaKey }: MouseEvent) => {
      // The cast holds because the `params` of an address belong to its page.
      const target = { search: {}, ...link } as LinkProps
      if (!ctrlKey && !metaKey) return void router.navigate(target)
      return void open(router.buildLocation(target).href, '_blank', 'noopener')
    }
}
