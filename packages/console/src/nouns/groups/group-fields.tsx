import { Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'

import { t } from '#text/index.ts'

import type { GroupAttributes } from './actions.ts'

/** Form values: an empty string stands for null. */
export interface GroupFormValues {
  readonly name: string
  readonly description: string
  readonly external_id: string
}

export const toFormValues = ({
  name,
  description,
  external_id,
}: GroupAttributes): GroupFormValues => ({
  name,
  description: description ?? '',
  external_id: external_id ?? '',
})

export const toAttributes = ({
  name,
  description,
  external_id,
}: GroupFormValues): GroupAttributes => ({
  name: name.trim(),
  description: description.trim() || null,
  external_id: external_id.trim() || null,
})

/** Checks that need no request. */
export const groupValidation = {
  name: (name: string) => (name.trim() === '' ? t('group.name.missing') : null),
}

interface Props {
  readonly inputOf: (field: keyof GroupFormValues) => GetInputPropsReturnType
}

/** The fields of the dialogs that create and edit a group. */
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
