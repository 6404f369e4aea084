import { NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { Risk } from '@muster/contract'
import { useState } from 'react'

import { isEmpty } from '#data/change/changes.ts'
import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { required, validateForm } from '#kit/form/validation.ts'
import { PersonPicker } from '#kit/references/person-picker.tsx'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

import { editRisk } from './actions.ts'
import { changedRiskFields, type RiskForm, toDraft } from './risk-draft.ts'
import { isLive } from './risk-level.ts'
import { OptionalRatings } from './risk-optional-ratings.tsx'

interface Props {
  readonly risk: Risk
  readonly onClose: () => void
}

/** Edits all fields except the current rating, which only a review changes. */
export function EditDialog({ risk, onClose }: Props) {
  const [seen] = useState(risk)
  const form = useKeptForm('risks/edit', {
    initialValues: toDraft(seen),
    validate: { title: required },
  })
  const submit = async () => {
    if (!validateForm(form)) return false
    const changes = changedRiskFields(seen, form.getValues())
    if (isEmpty(changes)) return true
    return withFieldErrors(form, editRisk(seen, changes))
  }
  return (
    <FormDialog
      title={t('risk.edit.title', { ref: risk.ref })}
      submit={t('risk.edit.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('risk.field.title')}
        maxLength={200}
        required
        data-autofocus
        {...form.getInputProps('title')}
      />
      <Textarea
        label={t('risk.field.description')}
        description={t('risk.field.description.about')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={5000}
        {...form.getInputProps('description')}
      />
      <EnumFields form={form} seen={seen} />
      <PersonPicker
        label={t('risk.field.owner')}
        value={form.values.owner_user_id || null}
        onChange={(id) => form.setFieldValue('owner_user_id', id ?? '')}
        error={form.errors['owner_user_id']}
      />
      <TextInput type="date" label={t('risk.review-on')} {...form.getInputProps('review_on')} />
      <OptionalRatings form={form} />
      <TagsInput
        label={t('risk.field.tags')}
        description={t('risk.field.tags.about')}
        splitChars={[' ', ',']}
        maxTags={50}
        maxLength={50}
        clearable={false}
        {...form.getInputProps('tags')}
      />
    </FormDialog>
  )
}

function EnumFields({ form, seen }: { readonly form: RiskForm; readonly seen: Risk }) {
  const isOnRegister = isLive(seen)
  const statuses = choices('riskStatus').filter(({ value }) =>
    isOnRegister ? isLive({ status: value }) : value === seen.status,
  )
  const isAccepted = seen.response === 'accept'
  const responses = choices('riskResponse').filter(({ value }) => value !== 'accept' || isAccepted)
  return (
    <>
      <NativeSelect
        label={t('risk.field.status')}
        data={statuses}
        disabled={!isOnRegister}
        {...(!isOnRegister && { description: t('risk.field.status.fixed') })}
        {...form.getInputProps('status')}
      />
      <NativeSelect
        label={t('risk.field.category')}
        data={choices('riskCategory')}
        {...form.getInputProps('category')}
      />
      <NativeSelect
        label={t('risk.field.response')}
        description={t(isAccepted ? 'risk.field.response.ends' : 'risk.field.response.about')}
        data={responses}
        {...form.getInputProps('response')}
      />
    </>
  )
}
