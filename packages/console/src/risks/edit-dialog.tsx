import { NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Risk } from '@muster/contract'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'
import { isNothing } from '#ui/changes.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { isComplete, needed } from '#ui/needed.ts'
import { PersonPicker } from '#ui/person-picker.tsx'
import { showFlaws } from '#ui/problem.tsx'

import { editRisk } from './actions.ts'
import { changesOf, draftOf, type RiskForm } from './risk-draft.ts'
import { isLive } from './risk-level.ts'
import { SecondRatings } from './risk-second-ratings.tsx'

interface Props {
  readonly risk: Risk
  readonly onClose: () => void
}

/** All that is said of a risk, but its rating now: that changes by a review. */
export function EditDialog({ risk, onClose }: Props) {
  const [seen] = useState(risk)
  const form = useForm({ initialValues: draftOf(seen), validate: { title: needed } })
  const submit = async () => {
    if (!isComplete(form)) return false
    const changes = changesOf(seen, form.getValues())
    if (isNothing(changes)) return true
    return showFlaws(form, editRisk(seen, changes))
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
      <Words form={form} seen={seen} />
      <PersonPicker
        label={t('risk.field.owner')}
        value={form.values.owner_user_id || null}
        onChange={(id) => form.setFieldValue('owner_user_id', id ?? '')}
        error={form.errors['owner_user_id']}
      />
      <TextInput
        type="date"
        label={t('risk.review-on')}
        description={t('risk.review-on.about')}
        {...form.getInputProps('review_on')}
      />
      <SecondRatings form={form} />
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

/** What kind it is, where it stands, and what was decided: words of the API. */
function Words({ form, seen }: { readonly form: RiskForm; readonly seen: Risk }) {
  const isOn = isLive(seen)
  const statuses = choices('riskStatus').filter(({ value }) =>
    isOn ? isLive({ status: value }) : value === seen.status,
  )
  const isAccepted = seen.response === 'accept'
  const responses = choices('riskResponse').filter(({ value }) => value !== 'accept' || isAccepted)
  return (
    <>
      <NativeSelect
        label={t('risk.field.status')}
        data={statuses}
        disabled={!isOn}
        {...(!isOn && { description: t('risk.field.status.fixed') })}
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
