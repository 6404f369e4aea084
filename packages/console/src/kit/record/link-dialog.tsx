import { TextInput } from '@mantine/core'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { required, validateForm } from '#kit/form/validation.ts'
import { t } from '#text/index.ts'

import type { EvidenceLink } from './links-section.tsx'

interface Props {
  readonly onAdd: (link: EvidenceLink) => Promise<unknown>
  readonly onClose: () => void
}

export function LinkDialog({ onAdd, onClose }: Props) {
  const form = useKeptForm('ui/record/link', {
    initialValues: { title: '', url: '' },
    validate: { title: required, url: httpsError },
  })
  // The API names a field by its place in the list of links, as `links.3.url`.
  const setErrors = (errors: Record<string, string>) =>
    form.setErrors(
      Object.fromEntries(
        Object.entries(errors).map(([field, text]) => [field.split('.').at(-1) ?? field, text]),
      ),
    )
  const submit = async () => {
    if (!validateForm(form)) return false
    const { title, url } = form.getValues()
    return withFieldErrors({ setErrors }, onAdd({ title: title.trim(), url: url.trim() }))
  }
  return (
    <FormDialog
      title={t('links.add.title')}
      submit={t('links.add')}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('word.title')}
        maxLength={200}
        data-autofocus
        {...form.getInputProps('title')}
      />
      <TextInput
        type="url"
        label={t('links.url')}
        placeholder="https://"
        maxLength={2000}
        {...form.getInputProps('url')}
      />
    </FormDialog>
  )
}

const httpsError = (url: string) => {
  const text = url.trim()
  const isHttps = URL.canParse(text) && new URL(text).protocol === 'https:'
  return required(text) ?? (isHttps ? null : t('links.url.invalid'))
}
