import { Fieldset, Stack, Switch, TextInput } from '@mantine/core'

import { t } from '#text/index.ts'

import { RatingFields } from './rating-fields.tsx'
import type { RiskForm } from './risk-draft.ts'

/** The target and the inherent rating. Both are optional. */
export function OptionalRatings({ form }: { readonly form: RiskForm }) {
  return (
    <>
      <Fieldset legend={t('risk.field.target')}>
        <Stack gap="sm">
          <Switch
            label={t('risk.field.target.has')}
            {...form.getInputProps('hasTarget', { type: 'checkbox' })}
          />
          {form.values.hasTarget && (
            <>
              <RatingFields
                likelihood={form.getInputProps('target.likelihood')}
                impact={form.getInputProps('target.impact')}
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
          {form.values.hasInherent && (
            <RatingFields
              likelihood={form.getInputProps('inherent.likelihood')}
              impact={form.getInputProps('inherent.impact')}
            />
          )}
        </Stack>
      </Fieldset>
    </>
  )
}
