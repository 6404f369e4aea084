import { type FormEvent, useState } from 'react'

interface FormSubmit {
  readonly error: unknown
  readonly isBusy: boolean
  readonly handleSubmit: (event: FormEvent) => void
}

/** Submits a form once at a time and keeps the error. */
export function useFormSubmit(action: (event: FormEvent) => Promise<unknown>): FormSubmit {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    setBusy(true)
    setError(null)
    try {
      await action(event)
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(false)
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) void submit(event)
  }
  return { error, isBusy, handleSubmit }
}
