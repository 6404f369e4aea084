import { useForm } from '@mantine/form'
import type { NewSecret, Scope } from '@muster/contract'

import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { withFieldErrors } from '#ui/problem.tsx'
import { required, validateForm } from '#ui/validation.ts'

import { createKey } from './actions.ts'
import { NameField, NetworksField, parseNetworks } from './key-fields.tsx'
import { allowedLifetime, type Lifetime, lifetimeBody, LifetimeField } from './lifetime-field.tsx'
import { useKeyDaysMax } from './queries.ts'
import { ScopeFields } from './scope-fields.tsx'
import { SecretFlow } from './secret-flow.tsx'

export function NewKeyDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <SecretFlow onClose={onClose}>
      {(onCreated) => <NewKeyForm onCreated={onCreated} onClose={onClose} />}
    </SecretFlow>
  )
}

interface Props {
  readonly onCreated: (created: NewSecret) => void
  readonly onClose: () => void
}

interface Values {
  readonly name: string
  readonly scopes: Scope[]
  /** Undefined until the user chooses a lifetime. */
  readonly expires_in_days: Lifetime | undefined
  readonly networks: string
}

function NewKeyForm({ onCreated, onClose }: Props) {
  const { key: own } = useWhoami()
  const bounds = { max: useKeyDaysMax(), ownEnd: own.expires_at }
  const initialValues: Values = {
    name: '',
    scopes: [],
    expires_in_days: undefined,
    networks: own.allowed_cidrs.join('\n'),
  }
  const form = useForm({
    initialValues,
    validate: {
      name: required,
      scopes: ({ length }) => (length === 0 ? t('key.scopes.missing') : null),
    },
  })
  const { scopes, networks, expires_in_days: chosen } = form.values
  const lifetime = chosen === undefined ? allowedLifetime(bounds) : chosen
  const submit = async () => {
    if (!validateForm(form)) return false
    const body = {
      name: form.getValues().name.trim(),
      scopes,
      ...lifetimeBody(lifetime),
      allowed_cidrs: parseNetworks(networks),
    }
    onCreated(await withFieldErrors(form, createKey(body)))
    return false
  }
  const { scopes: scopesError, expires_in_days: lifetimeError } = form.errors
  return (
    <FormDialog
      title={t('keys.new')}
      submit={t('key.create.submit')}
      isWide
      onClose={onClose}
      onSubmit={submit}
    >
      <NameField {...form.getInputProps('name')} />
      <ScopeFields
        value={scopes}
        onChange={(wanted) => form.setFieldValue('scopes', wanted)}
        error={typeof scopesError === 'string' ? scopesError : null}
      />
      <LifetimeField
        label={t('key.life')}
        bounds={bounds}
        value={lifetime}
        onChange={(wanted) => form.setFieldValue('expires_in_days', wanted)}
        error={lifetimeError}
      />
      <NetworksField form={form} />
    </FormDialog>
  )
}
