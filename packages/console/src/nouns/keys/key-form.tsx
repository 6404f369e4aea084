import { Alert, TextInput, type TextInputProps } from '@mantine/core'
import type { Key, NewKey, NewSecret, Scope } from '@muster/contract'

import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { FieldInput } from '#kit/fields/field-input.tsx'
import { lengthOf } from '#kit/fields/field.ts'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { required } from '#kit/form/validation.ts'
import { t } from '#text/index.ts'

import { createKey, editKey } from './actions.ts'
import { keyFields } from './fields.ts'
import { useGrantor } from './grantor.ts'
import { allowedLifetime, type Lifetime, lifetimeBody, LifetimeField } from './lifetime-field.tsx'
import { NetworksField, parseNetworks } from './networks-field.tsx'
import { type ProjectIds, ProjectsField, validateProjects } from './projects-field.tsx'
import { useKeyDaysMax } from './queries.ts'
import { ScopeFields } from './scope-fields.tsx'
import { isBindable } from './scope-texts.ts'
import { SecretFlow } from './secret-dialog.tsx'

export interface NewKeyProps {
  readonly title?: string
  /** Creates the key. By default it is a service key. */
  readonly create?: (body: NewKey) => Promise<NewSecret>
  readonly onClose: () => void
}

export const NewKeyDialog = (props: NewKeyProps) => (
  <SecretFlow onClose={props.onClose}>
    {(onCreated) => <NewKeyForm {...props} onCreated={onCreated} />}
  </SecretFlow>
)

interface Props extends NewKeyProps {
  readonly onCreated: (created: NewSecret) => void
}

interface Values {
  readonly name: string
  readonly project_ids: ProjectIds
  readonly scopes: Scope[]
  /** Undefined until the user chooses a lifetime. */
  readonly expires_in_days: Lifetime | undefined
  readonly networks: string
  readonly responsible_user_id: string | null
}

function NewKeyForm(props: Props) {
  const { title = t('keys.new'), create = createKey, onCreated, onClose } = props
  const isService = props.create === undefined
  const own = useGrantor()
  const bounds = { max: useKeyDaysMax(), ownEnd: own.expires_at }
  const lifetimeOf = ({ expires_in_days: chosen }: Values) =>
    chosen === undefined ? allowedLifetime(bounds) : chosen
  return (
    <ActionDialog<Values>
      draft="keys/new-key"
      title={title}
      submit={t('key.create.submit')}
      isWide
      initialValues={{
        name: '',
        project_ids: null,
        scopes: [],
        expires_in_days: undefined,
        networks: own.allowed_cidrs.join('\n'),
        responsible_user_id: null,
      }}
      validate={({ name, project_ids, scopes }) => ({
        name: required(name),
        project_ids: validateProjects(project_ids),
        scopes: scopes.length === 0 ? t('key.scopes.missing') : null,
      })}
      send={async (values) => {
        const { name, project_ids, scopes, networks, responsible_user_id } = values
        const created = await create({
          name: name.trim(),
          scopes,
          ...lifetimeBody(lifetimeOf(values)),
          allowed_cidrs: parseNetworks(networks),
          ...(project_ids !== null && { project_ids }),
          ...(responsible_user_id !== null && { responsible_user_id }),
        })
        onCreated(created)
        return false
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <NameField {...form.getInputProps('name')} />
          <ProjectsField
            value={form.values.project_ids}
            errors={form.errors}
            onChange={(project_ids) => {
              const { scopes } = form.getValues()
              form.clearErrors()
              form.setValues({
                project_ids,
                scopes: project_ids === null ? scopes : scopes.filter(isBindable),
              })
            }}
          />
          <ScopeFields
            {...form.getInputProps('scopes')}
            value={form.values.scopes}
            isBound={form.values.project_ids !== null}
          />
          <LifetimeField
            label={t('key.life')}
            bounds={bounds}
            {...form.getInputProps('expires_in_days')}
            value={lifetimeOf(form.values)}
          />
          <NetworksField form={form} />
          {isService && <FieldInput form={form} field={keyFields.responsible_user_id} />}
        </>
      )}
    </ActionDialog>
  )
}

interface EditValues {
  readonly name: string
  readonly project_ids: ProjectIds
  readonly networks: string
}

/** The scopes and the expiry of a key cannot be changed. */
export function EditKeyDialog({ seen, onClose }: DialogProps<Key>) {
  const own = useGrantor()
  return (
    <ActionDialog<EditValues>
      draft="keys/edit-key"
      title={t('record.edit.title', { name: seen.name })}
      submit={t('word.save')}
      initialValues={{
        name: seen.name,
        project_ids: seen.project_ids,
        networks: seen.allowed_cidrs.join('\n'),
      }}
      validate={({ name, project_ids }) => ({
        name: required(name),
        project_ids: validateProjects(project_ids),
      })}
      send={({ name, project_ids, networks }) => {
        const allowed_cidrs = parseNetworks(networks)
        return editKey(seen, { name: name.trim(), project_ids, allowed_cidrs }, own)
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <NameField {...form.getInputProps('name')} />
          <ProjectsField
            value={form.values.project_ids}
            errors={form.errors}
            scopes={seen.scopes}
            onChange={(project_ids) => {
              form.clearErrors()
              form.setFieldValue('project_ids', project_ids)
            }}
          />
          <NetworksField form={form} />
          {seen.id === own.key?.id && (
            <Alert role="note" variant="outline" color="gray">
              {t('key.networks.own')}
            </Alert>
          )}
        </>
      )}
    </ActionDialog>
  )
}

/** Not the input of the field, because browsers must not fill in the name of the person. */
const NameField = (props: TextInputProps) => (
  <TextInput
    label={keyFields.name.label}
    description={keyFields.name.about}
    maxLength={lengthOf('keys', 'name')}
    autoComplete="off"
    data-autofocus
    {...props}
  />
)
