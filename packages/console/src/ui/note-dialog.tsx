import { Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'

import { FormDialog } from './form-dialog.tsx'
import { showFlaws } from './problem.tsx'

interface Props {
  readonly title: string
  readonly submit: string
  /** What it makes of the thing, where the title does not say it. */
  readonly about?: string
  readonly label: string
  readonly description?: string
  /** Under which the API knows what is written, with its length. */
  readonly field?: { readonly name: string; readonly maxLength: number }
  readonly onClose: () => void
  /** Given what was written; null for nothing. */
  readonly onSubmit: (note: string | null) => Promise<unknown>
}

const anyNote = { name: 'note', maxLength: 5000 }

/** Asks what there is to say about it, which may be nothing. */
export function NoteDialog(props: Props) {
  const { label, description, about, field = anyNote, onSubmit, ...dialog } = props
  const form = useForm({ initialValues: { [field.name]: '' } })
  const submit = () => showFlaws(form, onSubmit(form.getValues()[field.name] || null))
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
