import { Radio, Stack, Text } from '@mantine/core'
import type { Project } from '@muster/contract'

import { showSuccess } from '#kit/feedback/toast.tsx'
import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { FieldInput } from '#kit/fields/field-input.tsx'
import { type FormValues, fromForm, toForm } from '#kit/fields/field.ts'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

import { type HealthReport, reportHealth } from './actions.ts'
import { healthFields } from './fields.ts'

const offered = [...choices('projectHealth'), { value: '', label: t('word.not-set') }]

function toReport({ health, health_note }: FormValues<typeof healthFields>) {
  return fromForm<HealthReport>(healthFields, { health, health_note: health_note.trim() })
}

/** Sets the health of a project, with a note. */
export function HealthDialog({ seen, onClose }: DialogProps<Project>) {
  // The service ignores an unchanged health, so the dialog warns.
  const isSame = ({ health, health_note }: HealthReport) =>
    health === seen.health && health_note === seen.health_note
  return (
    <ActionDialog
      draft="projects/health"
      title={t('health.set.title', { code: seen.code })}
      submit={t('health.set')}
      initialValues={toForm(healthFields, { health: seen.health })}
      send={async (values) => {
        const report = toReport(values)
        if (isSame(report)) showSuccess(t('health.same'))
        else await reportHealth(seen, report)
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <Radio.Group label={healthFields.health.label} {...form.getInputProps('health')}>
            <Stack gap="xs" mt={6}>
              {offered.map(({ value, label }) => (
                <Radio
                  key={value}
                  value={value}
                  label={label}
                  {...(value === form.values.health && { 'data-autofocus': true })}
                />
              ))}
            </Stack>
          </Radio.Group>
          <FieldInput form={form} field={healthFields.health_note} minRows={2} />
          {seen.health_note !== null && (
            <Text size="sm" c="dimmed" className="prose">
              {t('health.note.before', { note: seen.health_note })}
            </Text>
          )}
          {isSame(toReport(form.values)) && seen.health !== null && (
            <Text size="sm" role="status">
              {t('health.same')}
            </Text>
          )}
        </>
      )}
    </ActionDialog>
  )
}
