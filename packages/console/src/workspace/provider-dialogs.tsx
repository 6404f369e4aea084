import { Alert, NativeSelect, PasswordInput, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { NewSignInSettings, SignInSettings } from '@muster/contract'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { withFieldErrors } from '#ui/problem.tsx'
import { required, validateForm } from '#ui/validation.ts'

import { removeProvider, setProvider } from './sign-in-queries.ts'

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
const parseDomains = (text: string) => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((each) => each !== ''),
  ),
]

const toBody = ({ client_secret, allowed_domains, ...values }: Values): NewSignInSettings => ({
  ...values,
  issuer: values.issuer.trim(),
  client_id: values.client_id.trim(),
  allowed_domains: parseDomains(allowed_domains),
  ...(client_secret !== '' && { client_secret }),
})

interface Props {
  readonly provider: Provider | null
  readonly onClose: () => void
}

export function ProviderDialog({ provider, onClose }: Props) {
  const [seen] = useState(provider)
  const form = useForm({
    initialValues: toFormValues(seen),
    validate: {
      issuer: required,
      client_id: required,
      client_secret: (text) => (seen === null ? required(text) : null),
    },
  })
  const submit = async () =>
    validateForm(form) && withFieldErrors(form, setProvider(toBody(form.getValues())))
  const isNewIssuer = seen !== null && form.values.issuer.trim() !== seen.issuer
  return (
    <FormDialog
      title={t('provider.title')}
      submit={t('provider.submit')}
      isWide
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('provider.issuer')}
        description={t('provider.issuer.about')}
        placeholder="https://id.example.com"
        maxLength={300}
        data-autofocus
        {...textField}
        {...form.getInputProps('issuer')}
      />
      {isNewIssuer && (
        <Alert role="note" variant="outline" color="gray">
          {t('provider.new-issuer')}
        </Alert>
      )}
      <TextInput
        label={t('provider.client-id')}
        maxLength={200}
        {...textField}
        {...form.getInputProps('client_id')}
      />
      <PasswordInput
        label={t('provider.client-secret')}
        description={t(`provider.client-secret.${seen === null ? 'about' : 'kept'}`)}
        maxLength={500}
        {...textField}
        {...form.getInputProps('client_secret')}
      />
      <NativeSelect
        label={t('provider.match')}
        description={t('provider.match.about')}
        data={(['email', 'external_id'] as const).map((value) => ({
          value,
          label: t(`provider.match.${value}`),
        }))}
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
        data={(['refuse', 'reader'] as const).map((value) => ({
          value,
          label: t(`provider.first.${value}`),
        }))}
        {...form.getInputProps('first_sign_in')}
      />
    </FormDialog>
  )
}

const textField = { autoComplete: 'off', spellCheck: false }

export function RemoveProviderDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <FormDialog
      title={t('provider.remove.title')}
      submit={t('provider.remove')}
      isDanger
      onClose={onClose}
      onSubmit={removeProvider}
    >
      <Text size="sm">{t('provider.remove.about')}</Text>
    </FormDialog>
  )
}
