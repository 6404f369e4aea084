import { useSyncExternalStore } from 'react'

export interface Prompt<Q, A> {
  /** What the dialog shows. */
  readonly question: Q
  /** Closes the dialog with the choice of the user. */
  readonly answer: (choice: A) => void
}

/** A question that code outside of components asks, and a dialog of the shell answers. */
export function createPrompt<Q, A>() {
  let prompt: Prompt<Q, A> | null = null
  const listeners = new Set<() => void>()
  const setPrompt = (next: Prompt<Q, A> | null) => {
    prompt = next
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    ask: (question: Q): Promise<A> =>
      new Promise((resolve) => {
        const answer = (choice: A) => {
          setPrompt(null)
          resolve(choice)
        }
        setPrompt({ question, answer })
      }),
    /** The open question, or null. */
    usePrompt: () => useSyncExternalStore(subscribe, () => prompt),
  }
}
