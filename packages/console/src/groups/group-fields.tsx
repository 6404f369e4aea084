import { Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'

import { t } from '#text/index.ts'

import type { Wording } from './actions.ts'

/** What a form keeps of it: a field that is empty says nothing. */
export interface Words {
  readonly name: string
  readonly description: string
  readonly external_id: string
}

export const wordsOf = ({ name, description, external_id }: Wording): Words => ({
  name,
  description: description ?? '',
  external_id: external_id ?? '',
})

export const wordingOf = ({ name, description, external_id }: Words): Wording => ({
  name: name.trim(),
  description: description.trim() || null,
  external_id: external_id.trim() || null,
})

/** What can be told without asking the service. */
export const flawsOfWords = {
  name: (name: string) => (name.trim() === '' ? t('group.name.missing') : null),
}

interface Props {
  readonly inputOf: (field: keyof Words) => GetInputPropsReturnType
}

/** What is said of a group when it is made, and can be said anew. */
export function GroupFields({ inputOf }: Props) {
  return (
    <>
      <TextInput
        label={t('group.name')}
        description={t('group.name.about')}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        {...inputOf('name')}
      />
      <Textarea
        label={t('group.description')}
        description={t('group.description.about')}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={5000}
        {...inputOf('description')}
      />
      <TextInput
        label={t('group.external-id')}
        description={t('group.external-id.about')}
        maxLength={255}
        autoComplete="off"
        {...inputOf('external_id')}
      />
    </>
  )
}
