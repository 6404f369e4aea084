import { Autocomplete, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Person } from '@muster/contract'

import { useKeptForm } from '#kit/form/kept-form.ts'
import { PersonPicker } from '#kit/references/person-picker.tsx'
import { scrollableDropdown } from '#kit/references/scrollable-dropdown.ts'
import { t } from '#text/index.ts'

/** The fields of the form. An empty string stands for null. */
const fields = [
  'name',
  'email',
  'phone',
  'title',
  'department',
  'manager_user_id',
  'external_id',
  'time_zone',
  'start_on',
  'end_on',
] as const

type Field = (typeof fields)[number]
export type PersonForm = Record<Field, string>

export function toFormValues(person: Pick<Person, Field> | null): PersonForm {
  const entries = fields.map((field) => [field, person?.[field] ?? ''])
  // The cast holds because every field gets a value.
  return Object.fromEntries(entries) as PersonForm
}

/** The changed fields; an emptied field becomes null. */
export function changedValues(form: PersonForm, before: PersonForm) {
  const changed = fields.filter((field) => form[field].trim() !== before[field])
  return Object.fromEntries(changed.map((field) => [field, form[field].trim() || null]))
}

/** A form for a person. The name is required. */
export const usePersonForm = (initialValues: PersonForm) =>
  useKeptForm('people/person-fields', {
    initialValues,
    validate: { name: (name) => (name.trim() === '' ? t('people.name.missing') : null) },
  })

const timeZones = Intl.supportedValuesOf('timeZone')

export function PersonFields({ form }: { readonly form: UseFormReturnType<PersonForm> }) {
  return (
    <>
      <TextInput
        label={t('people.name')}
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          type="email"
          label={t('people.email')}
          maxLength={254}
          {...form.getInputProps('email')}
        />
        <TextInput
          type="tel"
          label={t('people.phone')}
          maxLength={50}
          {...form.getInputProps('phone')}
        />
        <TextInput label={t('people.job')} maxLength={200} {...form.getInputProps('title')} />
        <TextInput
          label={t('people.department')}
          maxLength={200}
          {...form.getInputProps('department')}
        />
        <PersonPicker
          label={t('people.manager')}
          value={form.values.manager_user_id || null}
          onChange={(id) => form.setFieldValue('manager_user_id', id ?? '')}
          error={form.errors['manager_user_id']}
        />
        <Autocomplete
          {...scrollableDropdown}
          label={t('people.time-zone')}
          data={timeZones}
          limit={50}
          maxLength={64}
          openOnFocus={false}
          {...form.getInputProps('time_zone')}
        />
        <TextInput type="date" label={t('people.start-on')} {...form.getInputProps('start_on')} />
        <TextInput type="date" label={t('people.end-on')} {...form.getInputProps('end_on')} />
      </SimpleGrid>
      <TextInput
        label={t('people.external-id')}
        description={t('people.external-id.about')}
        maxLength={255}
        {...form.getInputProps('external_id')}
      />
    </>
  )
}
