import { notifications } from '@mantine/notifications'
import { ProblemError } from '@muster/client'
import type { QueryKey } from '@tanstack/react-query'

import { invalidate, type Noun, queryClient } from '#data/query-client.ts'
import { showError, showSuccess, type ToastLink } from '#kit/feedback/toast.tsx'

import { conflictingFields, promptForConflict } from './conflict.ts'

export interface Versioned {
  readonly version: number
}

export interface Mutation<T extends Versioned, R> {
  /** The resource as the user saw it. Its version is sent as If-Match. */
  readonly resource: T
  /** The query key of the resource, if it is cached. */
  readonly queryKey?: QueryKey
  /** The expected fields: shown at once, and reverted if the request fails. */
  readonly optimistic?: Partial<T>
  /** The note that the user wrote on the change, for the conflict dialog. */
  readonly note?: string | null
  readonly send: (ifMatch: number) => Promise<R>
  /** Fetches the current resource, for the conflict dialog. */
  readonly fetchLatest: () => Promise<T>
  /** The nouns to refetch afterwards. */
  readonly invalidates: readonly Noun[]
  /** The message to show on success. */
  readonly successMessage: string
  /** The page of the resource, for the message. */
  readonly link?: ToastLink
  /**
   * Reverts the change to `before`. After a resolved conflict, that is the other user's version.
   */
  readonly undo?: (result: R, before: T) => Promise<unknown>
}

/**
 * Runs a mutation with an optimistic update, version check, success message and undo. If the
 * version is outdated and the changes differ, the conflict dialog asks which to keep. Returns null
 * if the user keeps the other change.
 */
export async function runMutation<T extends Versioned, R>(
  mutation: Mutation<T, R>,
): Promise<R | null> {
  const { resource, queryKey, optimistic, invalidates, successMessage, undo, link } = mutation
  if (queryKey && optimistic) queryClient.setQueryData(queryKey, { ...resource, ...optimistic })
  try {
    const done = await sendWithConflictCheck(mutation)
    if (done === null) return null
    const { result, before } = done
    const revert = undo && (() => runUndo(() => undo(result, before), invalidates))
    showSuccess(successMessage, revert, link)
    return result
  } catch (error) {
    if (queryKey && optimistic) queryClient.setQueryData(queryKey, resource)
    throw error
  } finally {
    await invalidate(...invalidates)
  }
}

/** Returns null after a conflict in which the user kept the other change. */
async function sendWithConflictCheck<T extends Versioned, R>({
  resource,
  optimistic = {},
  note = null,
  send,
  fetchLatest,
}: Mutation<T, R>) {
  let before = resource
  for (;;) {
    try {
      return { result: await send(before.version), before }
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'version_mismatch') throw error
      const latest = await fetchLatest()
      const conflict = { base: before, theirs: latest, mine: optimistic, note }
      const isFree = conflictingFields(conflict).length === 0
      if (!isFree && !(await promptForConflict(conflict))) return null
      before = latest
    }
  }
}

async function runUndo(undo: () => Promise<unknown>, invalidates: readonly Noun[]): Promise<void> {
  notifications.clean()
  try {
    await undo()
  } catch (error) {
    showError(error)
  } finally {
    await invalidate(...invalidates)
  }
}

/** For buttons without a dialog: shows an error as a notification. */
export async function runMutationWithToast<T extends Versioned, R>(
  mutation: Mutation<T, R>,
): Promise<void> {
  try {
    await runMutation(mutation)
  } catch (error) {
    showError(error)
  }
}
