import { useSyncExternalStore } from 'react'

export interface Conflict {
  /** The resource as the user saw it. */
  readonly base: object
  /** The current resource. */
  readonly theirs: object
  /** The fields that the user wants to change. */
  readonly mine: object
}

export interface ConflictPrompt extends Conflict {
  readonly choose: (isOverwrite: boolean) => void
}

let prompt: ConflictPrompt | null = null
const listeners = new Set<() => void>()

function setPrompt(next: ConflictPrompt | null): void {
  prompt = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows the conflict dialog. True: overwrite; false: keep the other change. */
export function promptForConflict(conflict: Conflict): Promise<boolean> {
  return new Promise((resolve) => {
    const choose = (isOverwrite: boolean) => {
      setPrompt(null)
      resolve(isOverwrite)
    }
    setPrompt({ ...conflict, choose })
  })
}

/** The open conflict, or null. */
export const useConflictPrompt = () => useSyncExternalStore(subscribe, () => prompt)
