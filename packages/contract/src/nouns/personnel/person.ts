import { Type, type Static } from 'typebox'

import { readOnlyInNewRows } from '#contract/batch-operation'
import { withExample } from '#contract/examples'
import { otherExampleId } from '#contract/field-schemas'
import { inputsOf, referencesTo, requiredOf, schemasOf } from '#contract/fields'
import { createSchema, patchSchema } from '#contract/input-schemas'

import { personFields } from './fields.ts'

export const Person = withExample(
  Type.Object(schemasOf(personFields), {
    title: 'Person',
    description: 'A member of the roster.',
  }),
  { manager_user_id: otherExampleId('usr'), status_reason: null, erased_at: null },
)
export type Person = Static<typeof Person>

export const NewPerson = createSchema(requiredOf(personFields), inputsOf(personFields, 'create'), {
  title: 'NewPerson',
  description: 'A person to add. Omitted fields are null.',
  example: {
    name: 'Mara Lindqvist',
    email: 'mara.lindqvist@example.com',
    title: 'Site engineer',
    department: 'Civil works',
    start_on: '2026-03-01',
    metadata: { badge: 'B-1042' },
  },
})
export type NewPerson = Static<typeof NewPerson>

export const PersonPatch = patchSchema(Person, inputsOf(personFields, 'patch'), {
  title: 'PersonPatch',
  description: 'A JSON merge patch.',
  example: { title: 'Resident engineer', phone: null },
})
export type PersonPatch = Static<typeof PersonPatch>

/** A row of a batch: with an `id` it updates that person, without one it adds a person. */
export const PersonRow = patchSchema(
  Person,
  { ...inputsOf(personFields, 'row'), ...referencesTo('manager', 'the manager') },
  {
    title: 'PersonRow',
    description:
      'With `id`, the row updates that person. Without `id`, it adds a person. ' +
      readOnlyInNewRows,
    example: { name: 'Tove Ekberg', title: 'Surveyor', department: 'Civil works' },
  },
)
export type PersonRow = Static<typeof PersonRow>
