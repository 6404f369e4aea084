import type { NewKey, NewSecret, Scope } from '@muster/contract'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { required, validateForm } from '#kit/form/validation.ts'
import { PersonPicker } from '#kit/references/person-picker.tsx'
import { t } from '#text/index.ts'

import { createKey } from './actions.ts'
import { useGrantor } from './grantor.ts'
import { NameField, NetworksField, parseNetworks } from './key-fields.tsx'
import { allowedLifetime, type Lifetime, lifetimeBody, LifetimeField } from './lifetime-field.tsx'
import { useKeyDaysMax } from './queries.ts'
import { ScopeFields } from './scope-fields.tsx'
import { SecretFlow } from './secret-flow.tsx'

interface DialogProps {
  readonly title?: string
  /** Creates the key. By default it is a service key. */
  readonly create?: (body: NewKey) => Promise<NewSecret>
  readonly onClose: () => void
}

export function NewKeyDialog(props: DialogProps) {
  return (
    <SecretFlow onClose={props.onClose}>
      {(onCreated) => <NewKeyForm {...props} onCreated={onCreated} />}
    </SecretFlow>
  )
}

interface Props extends DialogProps {
  readonly onCreated: (created: NewSecret) => void
}

interface Values {
  readonly name: string
  readonly scopes: Scope[]
  /** Undefined until the user chooses a lifetime. */
  readonly expires_in_days: Lifetime | undefined
  readonly networks: string
  readonly responsible: string | null
}

function NewKeyForm(props: Props) {
  const { title = t('keys.new'), create = createKey, onCreated, onClose } = props
  const isService = props.create === undefined
  const own = useGrantor()
  const bounds = { max: useKeyDaysMax(), ownEnd: own.expires_at }
  const initialValues: Values = {
    name: '',
    scopes: [],
    expires_in_days: undefined,
    networks: own.allowed_cidrs.join('\n'),
    responsible: null,
  }
  const form = useKeptForm('keys/new-key', {
    initialValues,
    validate: {
      name: required,
      scopes: ({ length }) => (length === 0 ? t('key.scopes.missing') : null),
    },
  })
  const { scopes, networks, responsible, expires_in_days: chosen } = form.values
  const lifetime = chosen === undefined ? allowedLifetime(bounds) : chosen
  const submit = async () => {
    if (!validateForm(form)) return false
    const body = {
      name: form.getValues().name.trim(),
      scopes,
      ...lifetimeBody(lifetime),
      allowed_cidrs: parseNetworks(networks),
      ...(responsible !== null && { responsible_user_id: responsible }),
    }
    onCreated(await withFieldErrors(form, create(body)))
    return false
  }
  const { scopes: scopesError, expires_in_days: lifetimeError } = form.errors
  return (
    <FormDialog
      title={title}
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
      {isService && (
        <PersonPicker
          label={t('keys.responsible')}
          description={t('key.responsible.about')}
          value={responsible}
          onChange={(id) => form.setFieldValue('responsible', id)}
          error={form.errors['responsible_user_id']}
        />
      )}
    </FormDialog>
  )
}
