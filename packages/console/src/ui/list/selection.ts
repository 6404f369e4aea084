import { useMemo, useState } from 'react'

/** The selected rows of a list. It changes only with the selection, so that rows keep theirs. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly toggle: (id: string) => void
  /** Adds all of these. */
  readonly add: (ids: readonly string[]) => void
  readonly clear: () => void
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return useMemo(
    () => ({
      ids,
      toggle: (id) =>
        setIds((before) => {
          const next = new Set(before)
          if (!next.delete(id)) next.add(id)
          return next
        }),
      add: (added) => setIds((before) => new Set([...before, ...added])),
      clear: () => setIds(new Set()),
    }),
    [ids],
  )
}
