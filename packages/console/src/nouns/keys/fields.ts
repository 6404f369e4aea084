import type { Key } from '@muster/contract'

import { type Descriptions, fieldsOf } from '#kit/fields/field.ts'
import { t } from '#text/index.ts'

/** The fields of a key that people write, besides the scopes, the lifetime and the networks. */
export const keyFields = fieldsOf('keys', {
  name: { kind: 'line', label: t('word.name'), about: t('key.name.about') },
  responsible_user_id: {
    kind: 'person',
    label: t('keys.responsible'),
    about: t('key.responsible.about'),
  },
} satisfies Descriptions<Key>)
