import type { FormErrors, UseFormReturnType } from '@mantine/form'
import type { ComponentProps, ReactNode } from 'react'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { validateForm } from '#kit/form/validation.ts'

interface Props<V extends object> extends Omit<
  ComponentProps<typeof FormDialog>,
  'onSubmit' | 'children'
> {
  /** The name of the form in drafts. */
  readonly draft: string
  readonly initialValues: V
  /** Errors that need no request, by field. */
  readonly validate?: (values: V) => FormErrors
  /** Sends the values. The dialog shows the errors of the service beside their fields. */
  readonly send: (values: V) => Promise<unknown>
  readonly children: (form: UseFormReturnType<V>) => ReactNode
}

/** A dialog with a form that sends its values once. */
export function ActionDialog<V extends object>(props: Props<V>) {
  const { draft, initialValues, validate = () => ({}), send, children, ...dialog } = props
  const form = useKeptForm<V>(draft, { initialValues, validate })
  const submit = async () =>
    validateForm(form) && (await withFieldErrors(form, send(form.getValues())))
  return (
    <FormDialog {...dialog} onSubmit={submit}>
      {children(form)}
    </FormDialog>
  )
}
