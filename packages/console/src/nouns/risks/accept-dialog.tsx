import { Group, Text, Textarea, TextInput } from '@mantine/core'
import type { Risk } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { lengthOf } from '#kit/fields/field.ts'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { required, validateForm } from '#kit/form/validation.ts'
import { ScoreChip } from '#kit/parts/score.tsx'
import { PersonPicker } from '#kit/references/person-picker.tsx'
import { projectQuery } from '#kit/references/projects.ts'
import { daysFromToday, today } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { acceptRisk } from './actions.ts'
import { RiskName } from './risk-name.tsx'

interface Props {
  readonly risk: Risk
  readonly onClose: () => void
}

/** Accepts a risk until a date, or renews an acceptance. */
export function AcceptDialog({ risk, onClose }: Props) {
  const [seen] = useState(risk)
  const form = useKeptForm('risks/accept', {
    initialValues: {
      accepted_by_user_id: seen.acceptance?.accepted_by_user_id ?? seen.owner_user_id ?? '',
      expires_on: daysFromToday(180),
      rationale: seen.acceptance?.rationale ?? '',
    },
    validate: { rationale: required, accepted_by_user_id: required, expires_on: required },
  })
  const submit = async () =>
    validateForm(form) && withFieldErrors(form, acceptRisk(seen, form.getValues()))
  return (
    <FormDialog
      title={t('risk.accept.title', { ref: risk.ref })}
      about={<RiskName risk={seen} />}
      submit={t('risk.accept')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">{t('risk.accept.about')}</Text>
      <Conditions risk={risk} />
      <Textarea
        label={t('risk.rationale')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={lengthOf('risks', 'rationale')}
        required
        data-autofocus
        {...form.getInputProps('rationale')}
      />
      <PersonPicker
        label={t('risk.accepted-by')}
        required
        value={form.values.accepted_by_user_id || null}
        onChange={(id) => form.setFieldValue('accepted_by_user_id', id ?? '')}
        error={form.errors['accepted_by_user_id']}
      />
      <TextInput
        type="date"
        label={t('risk.accepted-until')}
        required
        min={today()}
        {...form.getInputProps('expires_on')}
      />
    </FormDialog>
  )
}

/** The score and the appetite that the acceptance will keep, and who may accept the risk. */
function Conditions({ risk: { project_id, score, level } }: Pick<Props, 'risk'>) {
  const { data: project } = useQuery(projectQuery(project_id))
  if (!project) return null
  const { code, risk_appetite: appetite } = project
  const who = appetite === null ? 'unlimited' : score > appetite ? 'above' : 'within'
  return (
    <div>
      <Group gap="lg" mb={4}>
        <Text size="sm">
          {t('risk.accept.score')} <ScoreChip score={score} level={level} withWord />
        </Text>
        <Text size="sm">
          {appetite === null
            ? t('risk.accept.appetite.none', { code })
            : t('risk.accept.appetite', { code, appetite })}
        </Text>
      </Group>
      <Text size="sm">
        {t(`risk.accept.${who}`)} {t('risk.accept.kept')}
      </Text>
    </div>
  )
}
