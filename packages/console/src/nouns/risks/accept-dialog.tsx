import { Group, Text } from '@mantine/core'
import type { Risk } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { FieldInput } from '#kit/fields/field-input.tsx'
import { fromForm, requiredTexts, toForm } from '#kit/fields/field.ts'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { ScoreChip } from '#kit/parts/score.tsx'
import { projectQuery } from '#kit/references/projects.ts'
import { daysFromToday, today } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { type AcceptRiskBody, acceptRisk } from './actions.ts'
import { acceptFields } from './fields.ts'
import { RiskName } from './risk-name.tsx'

/** Accepts a risk until a date, or renews an acceptance. */
export const AcceptDialog = ({ seen, onClose }: DialogProps<Risk>) => (
  <ActionDialog
    draft="risks/accept"
    title={t('risk.accept.title', { ref: seen.ref })}
    about={<RiskName risk={seen} />}
    submit={t('risk.accept')}
    initialValues={toForm(acceptFields, {
      accepted_by_user_id: seen.acceptance?.accepted_by_user_id ?? seen.owner_user_id,
      expires_on: daysFromToday(180),
      rationale: seen.acceptance?.rationale,
    })}
    validate={requiredTexts(acceptFields)}
    send={(values) => acceptRisk(seen, fromForm<AcceptRiskBody>(acceptFields, values))}
    onClose={onClose}
  >
    {(form) => (
      <>
        <Text size="sm">{t('risk.accept.about')}</Text>
        <Conditions risk={seen} />
        <FieldInput form={form} field={acceptFields.rationale} isFirst />
        <FieldInput form={form} field={acceptFields.accepted_by_user_id} />
        <FieldInput form={form} field={acceptFields.expires_on} min={today()} />
      </>
    )}
  </ActionDialog>
)

/** The score and the appetite that the acceptance will keep, and who may accept the risk. */
function Conditions({ risk: { project_id, score, level } }: { readonly risk: Risk }) {
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
