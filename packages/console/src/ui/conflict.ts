import { useSyncExternalStore } from 'react'

export interface Conflict {
  /** As it was shown to whoever acts. */
  readonly seen: object
  /** As it is by now. */
  readonly now: object
  /** As whoever acts wanted it. */
  readonly wanted: object
}

export interface Question extends Conflict {
  readonly answer: (isMine: boolean) => void
}

let question: Question | null = null
const listeners = new Set<() => void>()

function pose(next: Question | null): void {
  question = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows what someone else made of it. True: do mine all the same; false: leave theirs. */
export function askAboutConflict(conflict: Conflict): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (isMine: boolean) => {
      pose(null)
      resolve(isMine)
    }
    pose({ ...conflict, answer })
  })
}

/** What is to be asked at the moment, if anything. */
export const useConflict = () => useSyncExternalStore(subscribe, () => question)
