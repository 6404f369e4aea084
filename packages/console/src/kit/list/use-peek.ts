import { useMediaQuery } from '@mantine/hooks'
import { useCallback, useState } from 'react'

export type Peeked<T> = ReturnType<typeof usePeek<T>>

/** The item beside the list. A phone has no room for it and opens the record instead. */
export function usePeek<T>() {
  const [item, setItem] = useState<T | null>(null)
  const isPhone = useMediaQuery('(max-width: 40em)')
  const close = useCallback(() => setItem(null), [])
  return isPhone
    ? { item: null, close, onPeek: undefined }
    : { item, close, onPeek: (next: T) => setItem(next) }
}
