import type { Person } from '@muster/contract'

import { type Descriptions, fieldsOf } from '#kit/fields/field.ts'
import { t } from '#text/index.ts'

/** The fields of a person that people write. */
export const personFields = fieldsOf('personnel', {
  name: { kind: 'line', label: t('word.name'), isRequired: true },
  email: { kind: 'line', label: t('word.email'), attributes: { type: 'email' } },
  phone: { kind: 'line', label: t('people.phone'), attributes: { type: 'tel' } },
  title: { kind: 'line', label: t('people.job') },
  department: { kind: 'line', label: t('people.department') },
  manager_user_id: { kind: 'person', label: t('people.manager') },
  time_zone: { kind: 'line', label: t('word.time-zone') },
  start_on: { kind: 'date', label: t('people.start-on') },
  end_on: { kind: 'date', label: t('word.last-day') },
  external_id: {
    kind: 'line',
    label: t('word.external-id'),
    about: t('people.external-id.about'),
  },
} satisfies Descriptions<Person>)

/** The status and its reason, which actions change. */
export const statusFields = fieldsOf('personnel', {
  status: { kind: 'choice', label: t('word.status'), set: 'personStatus', isStatus: true },
  status_reason: { kind: 'text', label: t('word.reason'), about: t('person.reason.about') },
} satisfies Descriptions<Person>)
