import type { Group } from '@muster/contract'

import { type Descriptions, fieldsOf } from '#kit/fields/field.ts'
import { t } from '#text/index.ts'

/** The fields of a group that people write. */
export const groupFields = fieldsOf('groups', {
  name: {
    kind: 'line',
    label: t('word.name'),
    about: t('group.name.about'),
    attributes: { autoComplete: 'off' },
  },
  description: {
    kind: 'text',
    label: t('word.description'),
    about: t('group.description.about'),
  },
  external_id: {
    kind: 'line',
    label: t('word.external-id'),
    about: t('group.external-id.about'),
    attributes: { autoComplete: 'off' },
  },
} satisfies Descriptions<Group>)
