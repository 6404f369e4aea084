import { Checkbox, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Group } from '@muster/contract'
import { useNavigate } from '@tanstack/react-router'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { type FieldForm, FieldInput } from '#kit/fields/field-input.tsx'
import { type FormValues, fromForm, toForm } from '#kit/fields/field.ts'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { validateForm } from '#kit/form/validation.ts'
import { t } from '#text/index.ts'

import { addMembers, createGroup, editGroup, type NamedPerson } from './actions.ts'
import { groupFields } from './fields.ts'
import { memberError, PeoplePicker } from './people-picker.tsx'

type GroupValues = FormValues<typeof groupFields>

const toBody = (values: GroupValues) => ({
  ...fromForm<Pick<Group, keyof typeof groupFields>>(groupFields, values),
  description: values.description.trim() || null,
})

/** The name is required, although its label has no mark. */
const validate = ({ name }: GroupValues) =>
  name.trim() === '' ? { name: t('field.name-needed') } : {}

const GroupInputs = ({ form }: { readonly form: FieldForm }) => (
  <>
    <FieldInput form={form} field={groupFields.name} isFirst />
    <FieldInput form={form} field={groupFields.description} />
    <FieldInput form={form} field={groupFields.external_id} />
  </>
)

export const EditGroupDialog = ({ seen, onClose }: DialogProps<Group>) => (
  <ActionDialog
    draft="groups/edit-group"
    title={t('record.edit.title', { name: seen.name })}
    submit={t('word.save')}
    initialValues={toForm(groupFields, seen)}
    validate={validate}
    send={(values) => editGroup(seen, toBody(values))}
    onClose={onClose}
  >
    {(form) => <GroupInputs form={form} />}
  </ActionDialog>
)

interface NewValues extends GroupValues {
  people: NamedPerson[]
  leads: string[]
}

const newGroup: NewValues = { ...toForm(groupFields), people: [], leads: [] }

/** Creates a group with its first members, then opens its page. */
export function NewGroupDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <ActionDialog
      draft="groups/new-group"
      title={t('groups.new')}
      submit={t('group.create.submit')}
      initialValues={newGroup}
      validate={validate}
      send={async ({ people, leads, ...values }) => {
        const { id } = await createGroup({
          ...toBody(values),
          member_user_ids: people.map((person) => person.id),
          lead_user_ids: leads,
        })
        return navigate({ to: '/groups/$group_id', params: { group_id: id }, search: {} })
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <GroupInputs form={form} />
          <FirstMembers form={form} />
        </>
      )}
    </ActionDialog>
  )
}

interface FirstMembersProps {
  readonly form: UseFormReturnType<NewValues>
}

/** The members and the leads among them. */
function FirstMembers({ form }: FirstMembersProps) {
  const { people, leads } = form.values
  const choose = (chosen: NamedPerson[]) => {
    const isMember = (id: string) => chosen.some((each) => each.id === id)
    form.setFieldValue('people', chosen)
    form.setFieldValue('leads', leads.filter(isMember))
  }
  return (
    <>
      <PeoplePicker
        label={t('word.members')}
        description={t('group.first-members.about')}
        value={people}
        onChange={choose}
        error={memberError(form.errors, 'member_user_ids', people)}
      />
      <Checkbox.Group
        label={t('word.leads')}
        description={t(people.length > 0 ? 'group.first-leads.about' : 'group.first-leads.none')}
        {...form.getInputProps('leads')}
      >
        <Stack gap="xs" mt="xs">
          {people.map(({ id, name }) => (
            <Checkbox key={id} value={id} label={name} size="md" className="wrap" />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  )
}

const noPeople: { people: NamedPerson[] } = { people: [] }

/** Adds several members in one request. The button has their number. */
export function AddMembersDialog({ seen, onClose }: DialogProps<Group>) {
  const form = useKeptForm('groups/add-members', {
    initialValues: noPeople,
    validate: { people: ({ length }) => (length === 0 ? t('members.add.missing') : null) },
  })
  const { people } = form.values
  const submit = async () =>
    validateForm(form) && (await withFieldErrors(form, addMembers(seen, people)))
  return (
    <FormDialog
      title={t('members.add.title', { name: seen.name })}
      submit={
        people.length === 0 ? t('word.add') : t('members.add.count', { count: people.length })
      }
      onClose={onClose}
      onSubmit={submit}
    >
      <PeoplePicker
        label={t('people.title')}
        description={t('members.add.about')}
        data-autofocus
        value={people}
        onChange={(chosen) => {
          form.clearErrors()
          form.setFieldValue('people', chosen)
        }}
        error={form.errors['people'] ?? memberError(form.errors, 'add', people)}
        excludeGroupId={seen.id}
      />
    </FormDialog>
  )
}
