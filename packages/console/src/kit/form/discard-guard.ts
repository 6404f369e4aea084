import { useCallback, useRef, useState } from 'react'

import { hasRestoredForm } from './draft.ts'

interface DiscardGuard {
  /** The ref of the form. */
  readonly setForm: (form: HTMLFormElement | null) => void
  readonly handlers: {
    readonly onKeyDownCapture: () => void
    readonly onPointerDownCapture: () => void
    readonly onInputCapture: () => void
  }
  /** Closes a form without changes; asks otherwise, or ends the question. */
  readonly close: () => void
  readonly isAsking: boolean
  readonly keep: () => void
}

/**
 * Asks before a form with changed fields closes. It compares the fields with those before the first
 * input: values that load later, such as names, are no changes of the user.
 */
export function useDiscardGuard(onClose: () => void): DiscardGuard {
  const form = useRef<HTMLFormElement>(null)
  const before = useRef('')
  const hasInput = useRef(false)
  const [isAsking, setAsking] = useState(false)
  const focused = useRef<Element | null>(null)
  const setForm = useCallback((element: HTMLFormElement | null) => {
    form.current = element
    if (element) before.current = fieldsOf(element)
  }, [])
  const start = () => {
    if (!hasInput.current) before.current = fieldsOf(form.current)
    hasInput.current = true
  }
  const ask = () => {
    focused.current = document.activeElement
    setAsking(true)
  }
  const keep = () => {
    setAsking(false)
    if (focused.current instanceof HTMLElement) focused.current.focus()
  }
  const close = () => {
    const isChanged = hasInput.current && fieldsOf(form.current) !== before.current
    if (isAsking) keep()
    else if (isChanged || hasRestoredForm()) ask()
    else onClose()
  }
  return {
    setForm,
    handlers: {
      onKeyDownCapture: start,
      onPointerDownCapture: start,
      // Pasting, dictation and input methods press no key: the fields at mount are compared.
      onInputCapture: () => (hasInput.current = true),
    },
    close,
    isAsking,
    keep,
  }
}

const selector = 'input, textarea, select, [aria-pressed], [aria-checked]'

/** The state of all fields, also of buttons that work as fields. */
function fieldsOf(form: HTMLFormElement | null): string {
  const fields = form?.querySelectorAll<HTMLElement>(selector) ?? []
  return JSON.stringify(Array.from(fields, stateOf))
}

function stateOf(field: HTMLElement): string | boolean | null {
  if (field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type)) {
    return field.checked
  }
  if (
    field instanceof HTMLInputElement ||
    field instanceof HTMLTextAreaElement ||
    field instanceof HTMLSelectElement
  ) {
    return field.value
  }
  return field.getAttribute('aria-pressed') ?? field.getAttribute('aria-checked')
}
