import { Radio, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { showFlaws } from '#ui/problem.tsx'
import { sayDone } from '#ui/toast.tsx'

import { type Health, setHealth } from './actions.ts'
import type { ProjectDialogProps } from './edit-project-dialog.tsx'

const unsaid = 'unsaid'

/** The quick thing of the weekly meeting: how is it doing, and why. */
export function HealthDialog({ project, onClose }: ProjectDialogProps) {
  const [seen] = useState(project)
  const form = useForm({
    initialValues: { health: seen.health ?? (unsaid as string), health_note: '' },
  })
  const { health, health_note } = form.values
  const said = {
    // The cast holds because the words of the set are offered, and nothing else.
    health: health === unsaid ? null : (health as Health),
    health_note: health_note.trim() || null,
  }
  // The service does not count it as said anew, so whoever says it should know.
  const isSame = said.health === seen.health && said.health_note === seen.health_note
  const submit = async () => {
    if (isSame) sayDone(t('health.same'))
    else await showFlaws(form, setHealth(seen, said))
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
            value={unsaid}
            label={t('health.unsaid')}
            {...(health === unsaid && { 'data-autofocus': true })}
          />
        </Stack>
      </Radio.Group>
      <Textarea
        label={t('health.note')}
        description={t('health.note.about')}
        autosize
        minRows={2}
        maxLength={500}
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
