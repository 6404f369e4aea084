import { Radio, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { showSuccess } from '#kit/feedback/toast.tsx'
import { lengthOf } from '#kit/fields/field.ts'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

import { type Health, setHealth } from './actions.ts'
import type { ProjectDialogProps } from './edit-project-dialog.tsx'

const notSet = 'not_set'

/** Sets the health of a project, with a note. */
export function HealthDialog({ project, onClose }: ProjectDialogProps) {
  const [seen] = useState(project)
  const form = useKeptForm('projects/health', {
    initialValues: { health: seen.health ?? (notSet as string), health_note: '' },
  })
  const { health, health_note } = form.values
  const update = {
    // The cast holds because only the values of the set are offered.
    health: health === notSet ? null : (health as Health),
    health_note: health_note.trim() || null,
  }
  // The service ignores an unchanged health, so the dialog warns.
  const isSame = update.health === seen.health && update.health_note === seen.health_note
  const submit = async () => {
    if (isSame) showSuccess(t('health.same'))
    else await withFieldErrors(form, setHealth(seen, update))
  }
  return (
    <FormDialog
      title={t('health.set.title', { code: seen.code })}
      submit={t('health.set')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Radio.Group label={t('health.health')} {...form.getInputProps('health')}>
        <Stack gap="xs" mt={6}>
          {choices('projectHealth').map(({ value, label }) => (
            <Radio
              key={value}
              value={value}
              label={label}
              {...(value === health && { 'data-autofocus': true })}
            />
          ))}
          <Radio
            value={notSet}
            label={t('health.not-set')}
            {...(health === notSet && { 'data-autofocus': true })}
          />
        </Stack>
      </Radio.Group>
      <Textarea
        label={t('health.note')}
        description={t('health.note.about')}
        autosize
        minRows={2}
        maxLength={lengthOf('projects', 'health_note')}
        {...form.getInputProps('health_note')}
      />
      {seen.health_note !== null && (
        <Text size="sm" c="dimmed" className="prose">
          {t('health.note.before', { note: seen.health_note })}
        </Text>
      )}
      {isSame && seen.health !== null && (
        <Text size="sm" role="status">
          {t('health.same')}
        </Text>
      )}
    </FormDialog>
  )
}
