import { type FormEvent, useState } from 'react'

interface Sending {
  readonly error: unknown
  readonly isBusy: boolean
  readonly send: (event: FormEvent) => void
}

/** A form that is sent once at a time, and keeps why it was refused, to be shown. */
export function useSending(work: () => Promise<unknown>): Sending {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    setError(null)
    try {
      await work()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) void submit()
  }
  return { error, isBusy, send }
}
