import { useForm, type UseFormInput } from '@mantine/form'
import { useEffect, useState } from 'react'

import { deferSignOut } from '#data/query-client.ts'

import { markRestoredForm, restoredPart, usePart } from './draft.ts'

/** A form whose values drafts keep. While it is open, the end of the session does not close it. */
export function useKeptForm<V extends object>(
  name: string,
  options: UseFormInput<V> & { initialValues: V },
) {
  const [typed] = useState(() => restoredPart(name))
  // The cast holds because this form stored the values, as JSON.
  const initialValues = { ...options.initialValues, ...(typed as Partial<V> | undefined) }
  const form = useForm<V>({ ...options, initialValues })
  usePart(name, form.getValues(), true)
  useEffect(() => {
    if (typed !== undefined) markRestoredForm()
  }, [typed])
  useEffect(() => deferSignOut({ asks: true }), [])
  return form
}
