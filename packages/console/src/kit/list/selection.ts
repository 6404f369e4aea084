import { useMemo, useRef, useState } from 'react'

/** The selected rows of a list. It changes only with the selection, so that rows keep theirs. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly toggle: (id: string) => void
  /** Selects the rows from the one that was toggled last to this one, in the order of `ids`. */
  readonly extend: (id: string, ids: readonly string[]) => void
  /** Adds all of these. */
  readonly add: (ids: readonly string[]) => void
  readonly clear: () => void
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  return useMemo(
    () => ({
      ids,
      toggle: (id) => {
        last.current = id
        setIds((before) => {
          const next = new Set(before)
          if (!next.delete(id)) next.add(id)
          return next
        })
      },
      extend: (id, all) => {
        const range = rangeOf(all, last.current ?? id, id)
        last.current = id
        setIds((before) => new Set([...before, ...range]))
      },
      add: (added) => setIds((before) => new Set([...before, ...added])),
      clear: () => setIds(new Set()),
    }),
    [ids],
  )
}

function rangeOf(ids: readonly string[], from: string, to: string): readonly string[] {
  const [start, end] = [ids.indexOf(from), ids.indexOf(to)].toSorted((a, b) => a - b)
  // The start may have left the list.
  return start === undefined || start === -1 || end === undefined ? [to] : ids.slice(start, end + 1)
}
