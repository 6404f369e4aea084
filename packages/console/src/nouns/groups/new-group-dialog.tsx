import { Checkbox, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { validateForm } from '#kit/form/validation.ts'
import { t } from '#text/index.ts'

import { createGroup, type NamedPerson } from './actions.ts'
import {
  GroupFields,
  type GroupFormValues,
  groupValidation,
  toAttributes,
} from './group-fields.tsx'
import { memberError, PeoplePicker } from './people-picker.tsx'

interface Props {
  readonly onClose: () => void
}

interface Values extends GroupFormValues {
  readonly people: NamedPerson[]
  readonly leads: string[]
}

const emptyForm: Values = { name: '', description: '', external_id: '', people: [], leads: [] }

/** Creates a group with its first members, then opens its page. */
export function NewGroupDialog({ onClose }: Props) {
  const form = useKeptForm('groups/new-group', {
    initialValues: emptyForm,
    validate: groupValidation,
  })
  const navigate = useNavigate()
  const { people, leads } = form.values
  const choose = (chosen: NamedPerson[]) => {
    const isMember = (id: string) => chosen.some((each) => each.id === id)
    form.setFieldValue('people', chosen)
    form.setFieldValue('leads', leads.filter(isMember))
  }
  const submit = async () => {
    if (!validateForm(form)) return false
    const body = {
      ...toAttributes(form.getValues()),
      member_user_ids: people.map(({ id }) => id),
      lead_user_ids: leads,
    }
    const { id } = await withFieldErrors(form, createGroup(body))
    await navigate({ to: '/groups/$group_id', params: { group_id: id }, search: {} })
    return true
  }
  return (
    <FormDialog
      title={t('groups.new')}
      submit={t('group.create.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <GroupFields inputOf={form.getInputProps} />
      <PeoplePicker
        label={t('group.first-members')}
        description={t('group.first-members.about')}
        value={people}
        onChange={choose}
        error={memberError(form.errors, 'member_user_ids', people)}
      />
      <Checkbox.Group
        label={t('group.first-leads')}
        description={t(people.length > 0 ? 'group.first-leads.about' : 'group.first-leads.none')}
        {...form.getInputProps('leads')}
      >
        <Stack gap="xs" mt="xs">
          {people.map(({ id, name }) => (
            <Checkbox key={id} value={id} label={name} size="md" className="wrap" />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  )
}
