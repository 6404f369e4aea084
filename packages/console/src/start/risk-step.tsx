import { Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Project } from '@muster/contract'

import { client } from '#api/client.ts'
import { invalidate } from '#api/query-client.ts'
import { useMissingScopeReason } from '#api/whoami.ts'
import { type Rating, RatingGrid, requiredRating } from '#risks/rating-grid.tsx'
import { t } from '#text/index.ts'
import { useFormSubmit } from '#ui/form-submit.ts'
import { ProblemNotice, withFieldErrors } from '#ui/problem.tsx'
import { showSuccess } from '#ui/toast.tsx'
import { required, validateForm } from '#ui/validation.ts'

import { SubmitButton } from './submit-button.tsx'
import { useFocusOnMount } from './use-focus-on-mount.ts'

interface Props {
  readonly project: Project
  readonly onRisk: (riskId: string) => void
  /** Whether the user came from the previous step, so that the first field gets the focus. */
  readonly takesFocus: boolean
}

/** Creates a risk with the required fields only. */
export function RiskStep({ project, onRisk, takesFocus }: Props) {
  const field = useFocusOnMount<HTMLInputElement>(takesFocus)
  const reason = useMissingScopeReason('projects.manage')
  const form = useForm({
    initialValues: { title: '', rating: null as Rating | null },
    validate: { title: required, rating: requiredRating },
  })
  const { title, rating } = form.values
  const { error, isBusy, handleSubmit } = useFormSubmit(async () => {
    if (reason !== null || !validateForm(form) || rating === null) return
    const body = { title: title.trim(), ...rating }
    const params = { project_id: project.id }
    const created = await withFieldErrors(form, client.risks.create({ params, body }))
    showSuccess(t('start.risk.entered', { ref: created.ref }))
    onRisk(created.id)
    await invalidate('risks', 'projects')
  })
  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack>
        <Text size="sm">{t('start.risk.about')}</Text>
        {error !== null && <ProblemNotice error={error} />}
        <TextInput
          label={t('start.risk.name')}
          maxLength={200}
          ref={field}
          {...form.getInputProps('title')}
        />
        <RatingGrid
          label={t('rating.title')}
          value={rating}
          onChange={(next) => form.setFieldValue('rating', next)}
          error={form.errors['rating']}
        />
        <SubmitButton reason={reason} isBusy={isBusy}>
          {t('start.risk.submit')}
        </SubmitButton>
      </Stack>
    </form>
  )
}
