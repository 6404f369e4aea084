import { NativeSelect, type NativeSelectProps, Radio, Group as Row, Text } from '@mantine/core'
import type { AccessEntry, AccessList, RoleName } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { validateForm } from '#kit/form/validation.ts'
import { useGroupName } from '#kit/references/group-links.tsx'
import { GroupPicker } from '#kit/references/group-picker.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { PersonPicker } from '#kit/references/person-picker.tsx'
import { t } from '#text/index.ts'
import { choices, label } from '#text/labels.ts'

import { replaceAccess, subjectOf, withEntry, withoutEntry } from './actions.ts'
import type { EntryDialogProps, ListDialogProps } from './entry.ts'
import { rolesQuery } from './queries.ts'

interface Values {
  kind: 'person' | 'group'
  user_id: string | null
  group_id: string | null
  role: RoleName
}

const toEntry = ({ kind, user_id, group_id, role }: Values): AccessEntry => ({
  role,
  user_id: kind === 'person' ? user_id : null,
  group_id: kind === 'group' ? group_id : null,
  is_granting: true,
  identity_change: null,
})

/** Why the person or group cannot be added; null if it can. */
function subjectError(id: string | null, { entries }: AccessList): string | null {
  if (id === null) return t('access.missing')
  return entries.some((entry) => subjectOf(entry) === id) ? t('access.already') : null
}

/** Gives a role to a person or a group. */
export function AddEntryDialog({ seen, onClose, onConflict }: ListDialogProps) {
  const initialValues: Values = { kind: 'person', user_id: null, group_id: null, role: 'reader' }
  const form = useKeptForm('access/new-entry', {
    initialValues,
    validate: {
      user_id: (id, { kind }) => (kind === 'person' ? subjectError(id, seen) : null),
      group_id: (id, { kind }) => (kind === 'group' ? subjectError(id, seen) : null),
    },
  })
  const { kind, user_id, group_id, role } = form.values
  const personNames = usePersonNames([user_id])
  const groupName = useGroupName(group_id)
  const name = kind === 'group' ? groupName : (personNames.get(user_id ?? '') ?? '')
  const submit = async () => {
    if (!validateForm(form)) return false
    const entries = withEntry(seen, toEntry(form.getValues()))
    return replaceAccess({ seen, entries, successMessage: savedText(name, role), onConflict })
  }
  return (
    <FormDialog title={t('access.add')} submit={t('word.add')} onClose={onClose} onSubmit={submit}>
      <Radio.Group label={t('word.type')} {...form.getInputProps('kind')}>
        <Row gap="lg" mt="xs">
          <Radio value="person" label={t('word.person')} />
          <Radio value="group" label={t('word.group')} />
        </Row>
      </Radio.Group>
      {kind === 'person' ? (
        <PersonPicker
          label={t('word.person')}
          {...form.getInputProps('user_id')}
          value={user_id}
          onChange={(id) => form.setFieldValue('user_id', id)}
        />
      ) : (
        <GroupPicker
          label={t('word.group')}
          {...form.getInputProps('group_id')}
          value={group_id}
          onChange={(id) => form.setFieldValue('group_id', id)}
        />
      )}
      <RoleField {...form.getInputProps('role')} value={role} />
    </FormDialog>
  )
}

export function ChangeRoleDialog({ seen, entry, onClose, onConflict }: EntryDialogProps) {
  const { name, ...before } = entry
  return (
    <ActionDialog
      draft="access/role"
      title={t('access.change.one', { name })}
      submit={t('word.save')}
      initialValues={{ role: entry.role }}
      send={({ role }) =>
        replaceAccess({
          seen,
          entries: withEntry(seen, { ...before, role }),
          successMessage: savedText(name, role),
          onConflict,
        })
      }
      onClose={onClose}
    >
      {(form) => (
        <RoleField {...form.getInputProps('role')} value={form.values.role} data-autofocus />
      )}
    </ActionDialog>
  )
}

export function RemoveEntryDialog({ seen, entry, onClose, onConflict }: EntryDialogProps) {
  const { name, user_id } = entry
  const entries = withoutEntry(seen, entry)
  const successMessage = t('access.removed', { name })
  return (
    <FormDialog
      title={t('access.remove.title', { name })}
      submit={t('word.remove')}
      isDanger
      onClose={onClose}
      onSubmit={() => replaceAccess({ seen, entries, successMessage, onConflict })}
    >
      <Text size="sm">{t(user_id === null ? 'access.remove.group' : 'access.remove.person')}</Text>
    </FormDialog>
  )
}

const savedText = (name: string, role: RoleName) =>
  t('access.saved', { name, role: label('role', role) })

/** The roles, with the description of the selected one. */
function RoleField(props: NativeSelectProps) {
  const { data } = useQuery(rolesQuery)
  const role = data?.data.find(({ name }) => name === props.value)
  return (
    <NativeSelect
      label={t('access.role')}
      description={role?.description ?? t('access.role.about')}
      data={choices('role')}
      {...props}
    />
  )
}
