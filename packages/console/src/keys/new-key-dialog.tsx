import { useForm } from '@mantine/form'
import type { NewSecret, Scope } from '@muster/contract'

import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { isComplete, needed } from '#ui/needed.ts'
import { showFlaws } from '#ui/problem.tsx'

import { createKey } from './actions.ts'
import { NameField, NetworksField, networksIn } from './key-fields.tsx'
import { daysToSend, type Life, LifeField, lifeWithin } from './life-field.tsx'
import { useKeyDaysMax } from './queries.ts'
import { ScopeFields } from './scope-fields.tsx'
import { WithSecret } from './with-secret.tsx'

export function NewKeyDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <WithSecret onClose={onClose}>
      {(onMade) => <NewKeyForm onMade={onMade} onClose={onClose} />}
    </WithSecret>
  )
}

interface Props {
  readonly onMade: (made: NewSecret) => void
  readonly onClose: () => void
}

interface Values {
  readonly name: string
  readonly scopes: Scope[]
  /** Nothing was chosen yet while it is undefined. */
  readonly expires_in_days: Life | undefined
  readonly networks: string
}

function NewKeyForm({ onMade, onClose }: Props) {
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
      name: needed,
      scopes: ({ length }) => (length === 0 ? t('key.scopes.missing') : null),
    },
  })
  const { scopes, networks, expires_in_days: chosen } = form.values
  const life = chosen === undefined ? lifeWithin(bounds) : chosen
  const submit = async () => {
    if (!isComplete(form)) return false
    const body = {
      name: form.getValues().name.trim(),
      scopes,
      ...daysToSend(life),
      allowed_cidrs: networksIn(networks),
    }
    onMade(await showFlaws(form, createKey(body)))
    return false
  }
  const { scopes: noScopes, expires_in_days: wrongLife } = form.errors
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
        error={typeof noScopes === 'string' ? noScopes : null}
      />
      <LifeField
        label={t('key.life')}
        bounds={bounds}
        value={life}
        onChange={(wanted) => form.setFieldValue('expires_in_days', wanted)}
        error={wrongLife}
      />
      <NetworksField form={form} />
    </FormDialog>
  )
}
