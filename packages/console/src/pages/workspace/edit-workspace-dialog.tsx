import { Checkbox, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { limits, SignInMethod, Workspace } from '@muster/contract'

import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { lengthOf } from '#kit/fields/field.ts'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { required } from '#kit/form/validation.ts'
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

const validate = ({ name, policies }: Values) => ({
  name: required(name),
  'policies.session_idle_hours': required(String(policies.session_idle_hours)),
  'policies.sign_in_methods':
    policies.sign_in_methods.length === 0 ? t('workspace.methods.none') : null,
})

export const EditWorkspaceDialog = ({ seen, onClose }: DialogProps<Workspace>) => (
  <ActionDialog
    draft="workspace/edit-workspace"
    title={t('workspace.edit.title')}
    submit={t('word.save')}
    initialValues={toFormValues(seen)}
    validate={validate}
    send={(values) => updateWorkspace(seen, toSettings(values))}
    onClose={onClose}
  >
    {(form) => (
      <>
        <About form={form} />
        <Policies form={form} />
      </>
    )}
  </ActionDialog>
)

interface FieldsProps {
  readonly form: UseFormReturnType<Values>
}

const About = ({ form }: FieldsProps) => (
  <>
    <TextInput
      label={t('word.name')}
      description={t('workspace.name.about')}
      maxLength={lengthOf('workspace', 'name')}
      autoComplete="off"
      data-autofocus
      {...form.getInputProps('name')}
    />
    <TextInput
      label={t('workspace.slug')}
      description={t('workspace.slug.field')}
      placeholder={t('word.none')}
      maxLength={lengthOf('workspace', 'slug')}
      autoComplete="off"
      spellCheck={false}
      {...form.getInputProps('slug')}
    />
    <TimeZoneField
      {...form.getInputProps('time_zone')}
      value={form.values.time_zone}
      onChange={(zone) => zone !== null && form.setFieldValue('time_zone', zone)}
    />
  </>
)

const wholeNumber = { min: 1, allowDecimal: false, allowNegative: false }

const Policies = ({ form }: FieldsProps) => (
  <>
    <NumberInput
      label={t('workspace.key-days')}
      description={t('workspace.key-days.field')}
      placeholder={t('workspace.key-days.any')}
      {...wholeNumber}
      max={keyDaysMax}
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
      {...wholeNumber}
      max={idleHoursMax}
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
  </>
)
