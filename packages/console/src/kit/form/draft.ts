import { notifications } from '@mantine/notifications'
import type { Whoami } from '@muster/contract'
import { useEffect, useState } from 'react'

import { t } from '#text/index.ts'

/**
 * The draft: what is open on the page and what was typed there, while the person signs in again. A
 * sign-in at an identity provider leaves the page, so the draft is in the storage of this tab. It
 * belongs to one address and one principal, and ends when the form is saved or closed.
 */
interface Draft {
  readonly workspaceId: string
  readonly principalId: string | null
  readonly path: string
  readonly parts: Readonly<Record<string, unknown>>
}

const storageKey = 'muster-draft'
/** Browsers keep about 5 million characters for an origin. */
const charactersMax = 500_000

/** The open dialogs, forms and editors of the page, by name. */
const parts = new Map<string, unknown>()
/** The same of editors that closed, while their change is sent. */
const sending = new Map<string, unknown>()
/** The draft that this page restores. Each part is restored once. */
let restored: (Omit<Draft, 'parts'> & { readonly parts: Map<string, unknown> }) | null = null
let isRestoredForm = false

function read(): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Draft | null
  } catch {
    return null
  }
}

/** A secret is typed again: it is not stored, not even in this tab. */
const withoutSecrets = (name: string, value: unknown) =>
  /secret|password|token/i.test(name) ? undefined : value

/**
 * Stores what is open on the page. Returns false if nothing could be opened again: the page has no
 * part that drafts keep, the text is too long, or the browser refuses.
 */
export function storeDraft({ workspace, principal }: Whoami): boolean {
  if (parts.size + sending.size === 0) return false
  const draft: Draft = {
    workspaceId: workspace.id,
    principalId: principal.id,
    path: location.pathname,
    parts: Object.fromEntries([...parts, ...sending]),
  }
  const text = JSON.stringify(draft, withoutSecrets)
  if (text.length > charactersMax) return false
  try {
    sessionStorage.setItem(storageKey, text)
    return true
  } catch {
    return false
  }
}

export function discardDraft(): void {
  endDraft()
  restored = null
}

function endDraft(): void {
  sessionStorage.removeItem(storageKey)
  isRestoredForm = false
}

/** Takes a draft of an earlier page of this tab. One of another principal is removed. */
export function claimDraft({ workspace, principal, person, key }: Whoami): void {
  const draft = restored === null && parts.size === 0 ? read() : null
  if (draft === null) return
  if (draft.workspaceId === workspace.id && draft.principalId === principal.id) {
    restored = { ...draft, parts: new Map(Object.entries(draft.parts)) }
    return
  }
  discardDraft()
  notifications.show({
    role: 'alert',
    color: 'yellow',
    autoClose: false,
    message: t('draft.other', { name: (person ?? key)?.name ?? '' }),
  })
}

/** The part of the draft with this name; undefined if there is none for this page. */
export function restoredPart(name: string): unknown {
  return restored?.path === location.pathname ? restored.parts.get(name) : undefined
}

/** Whether the open form has the text of a draft, which closing must not discard silently. */
export const hasRestoredForm = () => isRestoredForm

export function markRestoredForm(): void {
  isRestoredForm = true
}

/** Keeps a value in the draft of the page while it is open. */
export function usePart(name: string, value: unknown, isOpen: boolean): void {
  useEffect(() => {
    restored?.parts.delete(name)
    if (isOpen) parts.set(name, value)
    else removePart(name)
  })
  useEffect(() => () => removePart(name), [name])
}

function removePart(name: string): void {
  // What was read from it and is not open yet stays: a dialog can load its form later.
  if (parts.delete(name) && parts.size + sending.size === 0) endDraft()
}

/** A state that drafts keep while it differs from its initial value, such as an open dialog. */
export function useKeptState<T>(name: string, initial: T) {
  // The cast holds because this state stored the value, as JSON.
  const [state] = useState(() => restoredPart(name) as T | undefined)
  const [value, setValue] = useState(state ?? initial)
  usePart(name, value, value !== initial)
  return [value, setValue] as const
}

/** The state of a property whose editor is open. */
export const openProperty = (name: string) => `property/${name}`

/** Keeps the text of an editor that closed, until its change is saved. */
export async function keepWhileSaving(
  kept: Readonly<Record<string, unknown>>,
  saving: Promise<unknown>,
): Promise<void> {
  for (const [name, value] of Object.entries(kept)) sending.set(name, value)
  try {
    await saving
  } finally {
    for (const name of Object.keys(kept)) sending.delete(name)
    if (parts.size + sending.size === 0) endDraft()
  }
}

/** Whether a dialog is open, as a state that drafts keep. */
export function useKeptDisclosure(name: string) {
  const [isOpen, setOpen] = useKeptState(name, false)
  return [isOpen, { open: () => setOpen(true), close: () => setOpen(false) }] as const
}
