import type { CallOptions } from '@muster/client'
import { queryOptions } from '@tanstack/react-query'

import { invalidate, type Noun } from '#data/query-client.ts'
import { showError, showSuccess, type ToastLink } from '#kit/feedback/toast.tsx'

import { changedFields, isEmpty, previousValues } from './changes.ts'
import { type Mutation, runMutation, type Versioned } from './mutation.ts'

interface Identified {
  readonly id: string
}

/** What the console needs to read and change the resources of a noun. */
interface Definition<T extends Versioned, R, P extends object> {
  readonly noun: Noun
  /** The nouns to refetch after a change. */
  readonly invalidates: readonly Noun[]
  readonly view: (ref: R, options: CallOptions) => Promise<T>
  readonly update: (resource: T, changes: P, ifMatch: number) => Promise<T>
  /** Whether a change of these fields can be undone; if it is left out, every change can. */
  readonly canUndo?: (resource: T, changes: P) => boolean
  /** The page of a resource, if messages link to it. */
  readonly linkTo?: (resource: T) => ToastLink
}

/** The query, the key and the changes that all nouns have. */
export function resource<T extends Versioned & R, R extends Identified, P extends object>(
  definition: Definition<T, R, P>,
) {
  const { noun, invalidates, view, update, canUndo = () => true, linkTo } = definition
  const keyOf = ({ id }: Identified) => [noun, 'one', id] as const

  /** The parts that all changes of a resource share. */
  const base = (seen: T) =>
    ({
      resource: seen,
      queryKey: keyOf(seen),
      fetchLatest: () => view(seen, {}),
      invalidates,
      ...(linkTo && { link: linkTo(seen) }),
    }) as const satisfies Partial<Mutation<T, unknown>>

  /** Changes fields, and offers undo if it is possible. */
  const updating = (seen: T, changes: P, successMessage: string): Mutation<T, T> => ({
    ...base(seen),
    optimistic: changes,
    send: (ifMatch) => update(seen, changes, ifMatch),
    successMessage,
    ...(canUndo(seen, changes) && {
      undo: ({ version }: T, before: T) =>
        update(seen, previousValues(fieldsOf<P>(before), changes), version),
    }),
  })

  return {
    keyOf,
    base,
    updating,
    query: (ref: R) =>
      queryOptions({ queryKey: keyOf(ref), queryFn: ({ signal }) => view(ref, { signal }) }),
    /** Sends the changed fields only. Returns null and sends nothing if there is none. */
    edit: async (seen: T, wanted: P, successMessage: string): Promise<T | null> => {
      // The cast holds because a patch is valid without some of its fields.
      const changes = changedFields(fieldsOf<P>(seen), wanted) as P
      return isEmpty(changes) ? null : runMutation(updating(seen, changes, successMessage))
    },
    /** Reports what was created. */
    created: async (created: T, successMessage: string): Promise<T> => {
      showSuccess(successMessage, undefined, linkTo?.(created))
      await invalidate(...invalidates)
      return created
    },
  }
}

/** The cast holds because a patch has fields of the resource. */
const fieldsOf = <P extends object>(seen: object) => seen as Partial<P>

/** For fields that save at once: shows an error as a notification. */
export const withToast = (change: Promise<unknown>) => change.catch(showError)
