import { Text, Textarea } from '@mantine/core'

import { withFieldErrors } from '#kit/feedback/problem.tsx'

import { FormDialog } from './form-dialog.tsx'
import { useKeptForm } from './kept-form.ts'

interface NoteField {
  /** The field of the API. */
  readonly name: string
  readonly label: string
  readonly about?: string
  readonly maxLength?: number
}

interface Props {
  readonly title: string
  readonly submit: string
  /** An explanation of the action. */
  readonly about?: string
  readonly field: NoteField
  readonly onClose: () => void
  /** Receives the text, or null if it is empty. */
  readonly onSubmit: (note: string | null) => Promise<unknown>
}

/** Asks for an optional note. */
export function NoteDialog({ about, field, onSubmit, ...dialog }: Props) {
  const { name, label, about: description, maxLength = 5000 } = field
  const form = useKeptForm(`note/${dialog.title}`, { initialValues: { [name]: '' } })
  const submit = () => withFieldErrors(form, onSubmit(form.getValues()[name] || null))
  return (
    <FormDialog {...dialog} onSubmit={submit}>
      {about !== undefined && <Text size="sm">{about}</Text>}
      <Textarea
        label={label}
        description={description}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={maxLength}
        data-autofocus
        {...form.getInputProps(name)}
      />
    </FormDialog>
  )
}
