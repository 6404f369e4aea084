import { Fieldset, Stack, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Risk } from '@muster/contract'

import { changedFields } from '#data/change/changes.ts'
import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { FieldInput } from '#kit/fields/field-input.tsx'
import { type FormValues, fromForm, requiredTexts, toForm } from '#kit/fields/field.ts'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

import { editRisk } from './actions.ts'
import { liveStatuses, responsesOf, riskFields } from './fields.ts'
import { type Rating, RatingGrid } from './rating-grid.tsx'
import { isLive } from './risk-level.ts'

/** A switch stands for each optional rating. */
interface RiskValues extends FormValues<typeof riskFields> {
  hasTarget: boolean
  target: Rating & { readonly due_on: string }
  hasInherent: boolean
  inherent: Rating
}

/** A missing target or inherent rating starts from the current rating. */
const toValues = (risk: Risk): RiskValues => ({
  ...toForm(riskFields, risk),
  hasTarget: risk.target !== null,
  target: { ...ratingOf(risk.target ?? risk), due_on: risk.target?.due_on ?? '' },
  hasInherent: risk.inherent !== null,
  inherent: ratingOf(risk.inherent ?? risk),
})

const ratingOf = ({ likelihood, impact }: Rating) => ({ likelihood, impact })

function toBody({ hasTarget, target, hasInherent, inherent, ...values }: RiskValues) {
  return {
    ...fromForm<Pick<Risk, keyof typeof riskFields>>(riskFields, values),
    target: hasTarget ? withScore({ ...target, due_on: target.due_on || null }) : null,
    inherent: hasInherent ? withScore(inherent) : null,
  }
}

const withScore = <R extends Rating>(rating: R) => ({
  ...rating,
  score: rating.likelihood * rating.impact,
})

/** Edits all fields except the current rating, which only a review changes. */
export const EditDialog = ({ seen, onClose }: DialogProps<Risk>) => (
  <ActionDialog
    draft="risks/edit"
    title={t('item.edit', { ref: seen.ref })}
    submit={t('word.save')}
    initialValues={toValues(seen)}
    validate={requiredTexts(riskFields)}
    send={(values) => editRisk(seen, changedFields(toBody(toValues(seen)), toBody(values)))}
    onClose={onClose}
  >
    {(form) => (
      <>
        <FieldInput form={form} field={riskFields.title} isFirst />
        <FieldInput form={form} field={riskFields.description} />
        <Choices form={form} seen={seen} />
        <FieldInput form={form} field={riskFields.owner_user_id} />
        <FieldInput form={form} field={riskFields.review_on} />
        <Target form={form} />
        <Inherent form={form} />
        <FieldInput form={form} field={riskFields.tags} about={t('risk.field.tags.about')} />
      </>
    )}
  </ActionDialog>
)

interface FormProps {
  readonly form: UseFormReturnType<RiskValues>
}

interface ChoicesProps extends FormProps {
  readonly seen: Risk
}

function Choices({ form, seen }: ChoicesProps) {
  const isAccepted = seen.response === 'accept'
  return (
    <>
      {isLive(seen) ? (
        <FieldInput form={form} field={riskFields.status} offered={liveStatuses} />
      ) : (
        <FieldInput
          form={form}
          field={riskFields.status}
          offered={choices('riskStatus').filter(({ value }) => value === seen.status)}
          about={t('risk.field.status.fixed')}
          isDisabled
        />
      )}
      <FieldInput form={form} field={riskFields.category} />
      <FieldInput
        form={form}
        field={riskFields.response}
        offered={responsesOf(seen.response)}
        about={t(isAccepted ? 'risk.field.response.ends' : 'risk.field.response.about')}
      />
    </>
  )
}

function Target({ form }: FormProps) {
  const { hasTarget, target } = form.values
  return (
    <Fieldset legend={t('risk.field.target')}>
      <Stack gap="sm">
        <Switch
          label={t('risk.field.target.has')}
          {...form.getInputProps('hasTarget', { type: 'checkbox' })}
        />
        {hasTarget && (
          <>
            <RatingGrid
              label={t('risk.field.target.rating')}
              value={target}
              onChange={(rating) => form.setFieldValue('target', { ...target, ...rating })}
            />
            <TextInput
              type="date"
              label={t('risk.field.target.due')}
              {...form.getInputProps('target.due_on')}
            />
          </>
        )}
      </Stack>
    </Fieldset>
  )
}

function Inherent({ form }: FormProps) {
  const { hasInherent, inherent } = form.values
  return (
    <Fieldset legend={t('risk.field.inherent')}>
      <Stack gap="sm">
        <Switch
          label={t('risk.field.inherent.has')}
          {...form.getInputProps('hasInherent', { type: 'checkbox' })}
        />
        {hasInherent && (
          <RatingGrid
            label={t('risk.field.inherent')}
            value={inherent}
            onChange={(rating) => form.setFieldValue('inherent', rating)}
          />
        )}
      </Stack>
    </Fieldset>
  )
}
