import { useHotkeys } from '@mantine/hooks'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useState } from 'react'

import { keepTyping } from '#kit/keyboard/keep-typing.ts'

/** The palette loads when the browser is idle, or when it opens. */
export const CommandPalette = lazyRouteComponent(
  () => import('./command-palette.tsx'),
  'CommandPalette',
)

interface Palette {
  /** How often the palette was opened. Each opening mounts a new palette. */
  readonly openings: number
  readonly open: () => void
}

export function usePalette(): Palette {
  const [openings, setOpenings] = useState(0)
  const open = () => {
    keepTyping()
    setOpenings(openings + 1)
  }
  useHotkeys([['mod+K', open]], [])
  return { openings, open }
}
