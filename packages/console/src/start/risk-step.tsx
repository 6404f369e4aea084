import { Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Project } from '@muster/contract'

import { refresh } from '#api/cache.ts'
import { client } from '#api/client.ts'
import { useReasonAgainst } from '#api/whoami.ts'
import { RatingFields } from '#risks/rating-fields.tsx'
import { t } from '#text/index.ts'
import { ProblemNotice, showFlaws } from '#ui/problem.tsx'
import { useSending } from '#ui/sending.ts'
import { sayDone } from '#ui/toast.tsx'

import { RatingMatrix } from './rating-matrix.tsx'
import { Submit } from './submit.tsx'
import { useFocusOnShow } from './use-focus.ts'

interface Props {
  readonly project: Project
  readonly onRisk: (riskId: string) => void
  /** Whether one comes from the step before. */
  readonly isNext: boolean
}

/** The least that a risk needs: what it is, and how it is rated. */
export function RiskStep({ project, onRisk, isNext }: Props) {
  const field = useFocusOnShow<HTMLInputElement>(isNext)
  const reason = useReasonAgainst('projects.manage')
  const form = useForm({ initialValues: { title: '', likelihood: 3, impact: 3 } })
  const { title, likelihood, impact } = form.values
  const { error, isBusy, send } = useSending(async () => {
    if (reason !== null) return
    const body = { title: title.trim(), likelihood, impact }
    const params = { project_id: project.id }
    const made = await showFlaws(form, client.risks.create({ params, body }))
    sayDone(t('start.risk.entered', { ref: made.ref }))
    onRisk(made.id)
    await refresh('risks', 'projects')
  })
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <Text size="sm">{t('start.risk.about')}</Text>
        {error !== null && <ProblemNotice error={error} />}
        <TextInput
          label={t('start.risk.name')}
          maxLength={200}
          ref={field}
          {...form.getInputProps('title')}
        />
        <RatingFields
          likelihood={form.getInputProps('likelihood')}
          impact={form.getInputProps('impact')}
        />
        <RatingMatrix rating={{ likelihood, impact }} onRate={form.setValues} />
        <Submit reason={reason} isBusy={isBusy}>
          {t('start.risk.submit')}
        </Submit>
      </Stack>
    </form>
  )
}
