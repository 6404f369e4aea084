import {
  Checkbox,
  NativeSelect,
  NumberInput,
  Stack,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import type { limits, SignInMethod, Workspace } from '@muster/contract'
import { useState } from 'react'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { lengthOf } from '#kit/fields/field.ts'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { required, validateForm } from '#kit/form/validation.ts'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

import { type Settings, updateWorkspace } from './actions.ts'
import { TimeZoneField } from './time-zone-field.tsx'

// The types keep these equal to the limits of the contract.
const keyDaysMax: typeof limits.keyDays.max = 366
const sessionDaysMax: typeof limits.sessionDays = 7
const idleHoursMax: typeof limits.sessionIdleHours.max = 168

const sessionDays = Array.from({ length: sessionDaysMax }, (_, index) => ({
  value: String(index + 1),
  label: t('workspace.days', { count: index + 1 }),
}))

interface Values {
  readonly name: string
  readonly time_zone: string
  /** Empty for none. */
  readonly slug: string
  /** Named as in the API, so that its errors appear beside their fields. */
  readonly policies: {
    readonly key_days_max: number | string
    readonly session_days: string
    readonly session_idle_hours: number | string
    readonly sign_in_methods: SignInMethod[]
  }
}

const toFormValues = ({ name, time_zone, slug, policies }: Workspace): Values => ({
  name,
  time_zone,
  slug: slug ?? '',
  policies: {
    key_days_max: policies.key_days_max ?? '',
    session_days: String(policies.session_days),
    session_idle_hours: policies.session_idle_hours,
    sign_in_methods: policies.sign_in_methods,
  },
})

const toSettings = ({ name, time_zone, slug, policies }: Values): Settings => ({
  name: name.trim(),
  time_zone,
  slug: slug.trim().toLowerCase() || null,
  // An empty field removes the limit.
  key_days_max: policies.key_days_max === '' ? null : Number(policies.key_days_max),
  session_days: Number(policies.session_days),
  session_idle_hours: Number(policies.session_idle_hours),
  sign_in_methods: policies.sign_in_methods,
})

interface Props {
  readonly workspace: Workspace
  readonly onClose: () => void
}

function SlugField(props: TextInputProps) {
  return (
    <TextInput
      label={t('workspace.slug')}
      description={t('workspace.slug.field')}
      placeholder={t('workspace.slug.placeholder')}
      maxLength={lengthOf('workspace', 'slug')}
      autoComplete="off"
      spellCheck={false}
      {...props}
    />
  )
}

export function EditWorkspaceDialog({ workspace, onClose }: Props) {
  const [seen] = useState(workspace)
  const form = useKeptForm('workspace/edit-workspace', {
    initialValues: toFormValues(seen),
    validate: {
      name: required,
      policies: {
        session_idle_hours: (hours) => required(String(hours)),
        sign_in_methods: (methods) => (methods.length === 0 ? t('workspace.methods.none') : null),
      },
    },
  })
  const submit = async () =>
    validateForm(form) && withFieldErrors(form, updateWorkspace(seen, toSettings(form.getValues())))
  return (
    <FormDialog
      title={t('workspace.edit.title')}
      submit={t('workspace.edit.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('workspace.name')}
        description={t('workspace.name.about')}
        maxLength={lengthOf('workspace', 'name')}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <SlugField {...form.getInputProps('slug')} />
      <TimeZoneField
        {...form.getInputProps('time_zone')}
        value={form.values.time_zone}
        onChange={(zone) => zone !== null && form.setFieldValue('time_zone', zone)}
      />
      <NumberInput
        label={t('workspace.key-days')}
        description={t('workspace.key-days.field')}
        placeholder={t('workspace.key-days.any')}
        min={1}
        max={keyDaysMax}
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('policies.key_days_max')}
      />
      <NativeSelect
        label={t('workspace.session-days')}
        description={t('workspace.session-days.about')}
        data={sessionDays}
        {...form.getInputProps('policies.session_days')}
      />
      <NumberInput
        label={t('workspace.idle-hours')}
        description={t('workspace.idle-hours.field')}
        min={1}
        max={idleHoursMax}
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('policies.session_idle_hours')}
      />
      <Checkbox.Group
        label={t('workspace.methods')}
        description={t('workspace.methods.about')}
        {...form.getInputProps('policies.sign_in_methods')}
      >
        <Stack gap={8} mt={8}>
          {choices('allowedMethod').map((choice) => (
            <Checkbox key={choice.value} {...choice} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  )
}
