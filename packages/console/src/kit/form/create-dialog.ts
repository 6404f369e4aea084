import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'

import type { Search } from '#data/search.ts'
import { dropTyping } from '#kit/keyboard/keep-typing.ts'
import { frameKeys, useShortcuts } from '#kit/keyboard/shortcuts.ts'

import { useKeptState } from './draft.ts'

interface CreateDialog {
  readonly isOpen: boolean
  readonly open: () => void
  readonly close: () => void
}

/**
 * The dialog for a new record. The key `c` opens it, and so does the address (`?create=risk`),
 * which the palette uses from other pages. `reason` is why the user may not create the record, or
 * null.
 */
export function useCreateDialog(noun: string, reason: string | null): CreateDialog {
  const [isOpen, setOpen] = useKeptState(`create/${noun}`, false)
  const open = useCallback(() => setOpen(true), [setOpen])
  const { create } = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const isAllowed = reason === null
  useEffect(() => {
    if (create !== noun) return
    if (isAllowed) open()
    else dropTyping()
    const search = (now: Record<string, unknown>) => ({ ...now, create: '' }) as Search
    void navigate({ to: '.', search, replace: true, resetScroll: false })
  }, [create, noun, isAllowed, open, navigate])
  useShortcuts({ [frameKeys.create]: isAllowed ? open : () => {} })
  return { isOpen, open, close: () => setOpen(false) }
}
