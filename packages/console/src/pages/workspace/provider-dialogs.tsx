import { Alert, NativeSelect, PasswordInput, Text, Textarea, TextInput } from '@mantine/core'
import type { NewSignInSettings, SignInSettings, SignInTest } from '@muster/contract'
import { useState } from 'react'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { lengthOf } from '#kit/fields/field.ts'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { required, validateForm } from '#kit/form/validation.ts'
import { t } from '#text/index.ts'

import { checkIssuer, removeProvider, setProvider } from './provider-actions.ts'
import {
  placeholderIn,
  type PresetName,
  presetNames,
  presetOf,
  presets,
} from './provider-presets.ts'
import { TestResult } from './provider-test.tsx'

type Provider = NonNullable<SignInSettings['provider']>

interface Values extends Omit<NewSignInSettings, 'allowed_domains' | 'client_secret'> {
  readonly client_secret: string
  readonly allowed_domains: string
}

const toFormValues = (provider: Provider | null): Values => ({
  issuer: provider?.issuer ?? '',
  client_id: provider?.client_id ?? '',
  client_secret: '',
  match: provider?.match ?? 'email',
  allowed_domains: provider?.allowed_domains.join('\n') ?? '',
  first_sign_in: provider?.first_sign_in ?? 'refuse',
})

/** Splits the domains at whitespace, commas and semicolons; removes duplicates. */
const parseDomains = (text: string) => [...new Set(text.toLowerCase().match(/[^\s,;]+/g))]

const toBody = ({ client_secret, allowed_domains, ...values }: Values): NewSignInSettings => ({
  ...values,
  issuer: values.issuer.trim(),
  client_id: values.client_id.trim(),
  allowed_domains: parseDomains(allowed_domains),
  ...(client_secret !== '' && { client_secret }),
})

/** An issuer still contains the part of a preset that must be replaced. */
function validateIssuer(issuer: string): string | null {
  const placeholder = placeholderIn(issuer)
  return placeholder === null ? required(issuer) : t('provider.placeholder', { placeholder })
}

/** The result of the last check, and the issuer that was checked. */
interface Checked {
  readonly issuer: string
  readonly result: SignInTest
}

/**
 * Saving checks a new issuer first. If a check fails, the results are shown, and the administrator
 * decides: a provider may be reachable only later.
 */
function useProviderForm(seen: Provider | null) {
  const [checked, setChecked] = useState<Checked | null>(null)
  const form = useKeptForm('workspace/provider', {
    initialValues: toFormValues(seen),
    validate: {
      issuer: validateIssuer,
      client_id: required,
      client_secret: (text) => (seen === null ? required(text) : null),
    },
  })
  const issuer = form.values.issuer.trim()
  const isChecked = checked?.issuer === issuer
  const isNewIssuer = seen !== null && issuer !== seen.issuer
  const submit = async () => {
    if (!validateForm(form)) return false
    if (!isChecked && issuer !== seen?.issuer) {
      const result = await withFieldErrors(form, checkIssuer(issuer))
      setChecked({ issuer, result })
      if (!result.is_ok) return false
    }
    return withFieldErrors(form, setProvider(toBody(form.getValues())))
  }
  return { form, issuer, isNewIssuer, submit, result: isChecked ? checked.result : null }
}

const matches = (['email', 'external_id'] as const).map((value) => ({
  value,
  label: t(`provider.match.${value}`),
}))

const firstSignIns = (['refuse', 'reader'] as const).map((value) => ({
  value,
  label: t(`provider.first.${value}`),
}))

export function ProviderDialog({ seen, onClose }: DialogProps<Provider | null>) {
  const { form, issuer, isNewIssuer, submit, result } = useProviderForm(seen)
  return (
    <FormDialog
      title={t('provider.title')}
      submit={t(result?.is_ok === false ? 'provider.submit.anyway' : 'word.save')}
      help={t('provider.submit.about')}
      isWide
      onClose={onClose}
      onSubmit={submit}
    >
      <PresetField
        issuer={issuer}
        onChoose={(name) =>
          form.setValues({ issuer: presets[name].issuer, match: presets[name].match })
        }
      />
      <TextInput
        label={t('provider.issuer')}
        description={t('provider.issuer.about')}
        placeholder="https://id.example.com"
        maxLength={lengthOf('sign_in', 'issuer')}
        data-autofocus
        {...textField}
        {...form.getInputProps('issuer')}
      />
      {result && <TestResult result={result} />}
      {isNewIssuer && (
        <Alert role="note" variant="outline" color="gray">
          {t('provider.new-issuer')}
        </Alert>
      )}
      <TextInput
        label={t('provider.client-id')}
        maxLength={lengthOf('sign_in', 'client_id')}
        {...textField}
        {...form.getInputProps('client_id')}
      />
      <PasswordInput
        label={t('provider.client-secret')}
        description={t(`provider.client-secret.${seen === null ? 'about' : 'kept'}`)}
        maxLength={lengthOf('sign_in', 'client_secret')}
        {...textField}
        {...form.getInputProps('client_secret')}
      />
      <NativeSelect
        label={t('provider.match')}
        description={t('provider.match.about')}
        data={matches}
        {...form.getInputProps('match')}
      />
      <Textarea
        label={t('provider.domains')}
        description={t('provider.domains.about')}
        autosize
        minRows={2}
        maxLength={5000}
        {...textField}
        {...form.getInputProps('allowed_domains')}
      />
      <NativeSelect
        label={t('provider.first')}
        data={firstSignIns}
        {...form.getInputProps('first_sign_in')}
      />
    </FormDialog>
  )
}

const providers = ([...presetNames, 'other'] as const).map((value) => ({
  value,
  label: t(`provider.preset.${value}`),
}))

interface PresetFieldProps {
  readonly issuer: string
  readonly onChoose: (name: PresetName) => void
}

/** Fills in the form of the issuer, and explains what to enter. */
function PresetField({ issuer, onChoose }: PresetFieldProps) {
  const name = presetOf(issuer) ?? 'other'
  return (
    <NativeSelect
      label={t('provider.preset')}
      description={t(`provider.preset.${name}.about`)}
      data={providers}
      value={name}
      onChange={({ currentTarget: { value } }) => {
        const chosen = presetNames.find((each) => each === value)
        if (chosen !== undefined) onChoose(chosen)
      }}
    />
  )
}

const textField = { autoComplete: 'off', spellCheck: false }

export const RemoveProviderDialog = ({ onClose }: DialogProps<Provider | null>) => (
  <FormDialog
    title={t('provider.remove.title')}
    submit={t('word.remove')}
    isDanger
    onClose={onClose}
    onSubmit={removeProvider}
  >
    <Text size="sm">{t('provider.remove.about')}</Text>
  </FormDialog>
)
