import { Autocomplete, SimpleGrid } from '@mantine/core'
import type { Person } from '@muster/contract'
import { useNavigate } from '@tanstack/react-router'

import { personAddress } from '#data/addresses.ts'
import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { type FieldForm, FieldInput } from '#kit/fields/field-input.tsx'
import { type FormValues, fromForm, toForm } from '#kit/fields/field.ts'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { scrollableDropdown } from '#kit/references/scrollable-dropdown.ts'
import { t } from '#text/index.ts'

import { addPerson, editPerson } from './actions.ts'
import { useConflictingPerson } from './conflicting-person.tsx'
import { personFields } from './fields.ts'

type PersonValues = FormValues<typeof personFields>

const toBody = (values: PersonValues) =>
  fromForm<Pick<Person, keyof typeof personFields>>(personFields, values)

const validate = ({ name }: PersonValues) =>
  name.trim() === '' ? { name: t('field.name-needed') } : {}

/** Adds a person to the roster, then opens their page. */
export function NewPersonDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const { notice, trackConflict } = useConflictingPerson()
  return (
    <ActionDialog
      draft="people/new-person"
      title={t('people.add')}
      submit={t('people.add')}
      initialValues={toForm(personFields)}
      validate={validate}
      send={async (values) => {
        const { id } = await trackConflict(addPerson(toBody(values)))
        return navigate(personAddress({ id }))
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          {notice}
          <PersonInputs form={form} />
        </>
      )}
    </ActionDialog>
  )
}

export function EditPersonDialog({ seen, onClose }: DialogProps<Person>) {
  const { notice, trackConflict } = useConflictingPerson()
  return (
    <ActionDialog
      draft="people/edit-person"
      title={t('record.edit.title', { name: seen.name })}
      submit={t('word.save')}
      initialValues={toForm(personFields, seen)}
      validate={validate}
      send={(values) => trackConflict(editPerson(seen, toBody(values)))}
      onClose={onClose}
    >
      {(form) => (
        <>
          {notice}
          <PersonInputs form={form} />
        </>
      )}
    </ActionDialog>
  )
}

const timeZones = Intl.supportedValuesOf('timeZone')

function PersonInputs({ form }: { readonly form: FieldForm }) {
  const { time_zone } = personFields
  return (
    <>
      <FieldInput form={form} field={personFields.name} isFirst />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <FieldInput form={form} field={personFields.email} />
        <FieldInput form={form} field={personFields.phone} />
        <FieldInput form={form} field={personFields.title} />
        <FieldInput form={form} field={personFields.department} />
        <FieldInput form={form} field={personFields.manager_user_id} />
        <Autocomplete
          {...scrollableDropdown}
          label={time_zone.label}
          data={timeZones}
          limit={50}
          maxLength={time_zone.maxLength}
          openOnFocus={false}
          {...form.getInputProps(time_zone.name)}
        />
        <FieldInput form={form} field={personFields.start_on} />
        <FieldInput form={form} field={personFields.end_on} />
      </SimpleGrid>
      <FieldInput form={form} field={personFields.external_id} />
    </>
  )
}
