import { invalidate, type Noun } from '#data/query-client.ts'
import { showError, showSuccess } from '#kit/feedback/toast.tsx'

interface Action<R> {
  readonly send: () => Promise<R>
  /** The nouns to refetch afterwards. */
  readonly invalidates: readonly Noun[]
  /** The message to show on success. */
  readonly successMessage: string
}

/** Runs a change of something that has no version. */
export async function runAction<R>({ send, invalidates, successMessage }: Action<R>): Promise<R> {
  try {
    const result = await send()
    showSuccess(successMessage)
    return result
  } finally {
    await invalidate(...invalidates)
  }
}

/** For buttons without a dialog: shows an error as a notification. */
export function runActionWithToast<R>(action: Action<R>): void {
  runAction(action).catch(showError)
}
