import { Text, Textarea } from '@mantine/core'

import { withFieldErrors } from '#kit/feedback/problem.tsx'

import { FormDialog } from './form-dialog.tsx'
import { useKeptForm } from './kept-form.ts'

interface Props {
  readonly title: string
  readonly submit: string
  /** An explanation of the action. */
  readonly about?: string
  readonly label: string
  readonly description?: string
  /** The field of the API and its maximum length. */
  readonly field?: { readonly name: string; readonly maxLength: number }
  readonly onClose: () => void
  /** Receives the text, or null if it is empty. */
  readonly onSubmit: (note: string | null) => Promise<unknown>
}

const defaultField = { name: 'note', maxLength: 5000 }

/** Asks for an optional note. */
export function NoteDialog(props: Props) {
  const { label, description, about, field = defaultField, onSubmit, ...dialog } = props
  const form = useKeptForm(`note/${dialog.title}`, { initialValues: { [field.name]: '' } })
  const submit = () => withFieldErrors(form, onSubmit(form.getValues()[field.name] || null))
  return (
    <FormDialog {...dialog} onSubmit={submit}>
      {about !== undefined && <Text size="sm">{about}</Text>}
      <Textarea
        label={label}
        description={description}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={field.maxLength}
        data-autofocus
        {...form.getInputProps(field.name)}
      />
    </FormDialog>
  )
}
