import { Fieldset, Stack, Switch, TextInput } from '@mantine/core'

import { t } from '#text/index.ts'

import { RatingGrid } from './rating-grid.tsx'
import type { RiskForm } from './risk-draft.ts'

/** The target and the inherent rating. Both are optional. */
export function OptionalRatings({ form }: { readonly form: RiskForm }) {
  const { hasTarget, target, hasInherent, inherent } = form.values
  return (
    <>
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
    </>
  )
}
