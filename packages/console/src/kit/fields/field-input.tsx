import { NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import type { ReactNode } from 'react'

import { PersonPicker } from '#kit/references/person-picker.tsx'
import { choices } from '#text/labels.ts'

import type { Field } from './field.ts'

/** The part of a form that the controls use. */
export interface FieldForm {
  readonly getInputProps: (path: string) => GetInputPropsReturnType
  readonly errors: Readonly<Record<string, ReactNode>>
}

interface Props {
  readonly form: FieldForm
  readonly field: Field
  /** Whether the dialog opens with the focus here. */
  readonly isFirst?: boolean
  readonly minRows?: number
  /** The values that a choice offers, if not all of the set. */
  readonly offered?: readonly { readonly value: string; readonly label: string }[]
  readonly isDisabled?: boolean
  /** Help instead of that of the field. */
  readonly about?: string
}

/** The control of a field in a form. */
export function FieldInput({ form, field, isFirst = false, minRows = 3, ...props }: Props) {
  const about = props.about ?? field.about
  const input = {
    label: field.label,
    ...(about !== undefined && { description: about }),
    ...(isFirst && { 'data-autofocus': true }),
    ...(props.isDisabled && { disabled: true }),
    ...form.getInputProps(field.name),
  }
  const length = field.maxLength === undefined ? {} : { maxLength: field.maxLength }
  switch (field.kind) {
    case 'line':
      return <TextInput {...input} {...length} required={field.isRequired === true} />
    case 'text':
      return <Textarea {...input} {...length} autosize minRows={minRows} maxRows={12} />
    case 'choice':
      return <NativeSelect {...input} data={[...(props.offered ?? choices(field.set))]} />
    case 'date':
      return <TextInput {...input} type="date" />
    case 'person':
      return <PersonPicker {...input} value={input.value || null} onChange={input.onChange} />
    case 'tags':
      return (
        <TagsInput
          {...input}
          error={errorOf(form, field.name)}
          splitChars={[',', ' ']}
          maxTags={50}
          maxLength={50}
        />
      )
  }
}

/** The API reports an invalid tag by its index, as `tags.0`. */
const errorOf = ({ errors }: FieldForm, name: string) =>
  Object.entries(errors).find(([path]) => path === name || path.startsWith(`${name}.`))?.[1]
