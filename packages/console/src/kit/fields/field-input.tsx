import { NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import type { ReactNode } from 'react'

import { PersonPicker } from '#kit/references/person-picker.tsx'

import { choicesOf, type DescribedField } from './field.ts'

/** The part of a form that the controls use. */
export interface FieldForm {
  readonly getInputProps: (path: string) => GetInputPropsReturnType
  readonly errors: Readonly<Record<string, ReactNode>>
}

interface Props {
  readonly form: FieldForm
  readonly field: DescribedField
  /** Whether the dialog opens with the focus here. */
  readonly isFirst?: boolean
  readonly minRows?: number
  /** The values that a choice offers, if not all of the set. */
  readonly offered?: readonly { readonly value: string; readonly label: string }[]
  readonly isDisabled?: boolean
  /** Help instead of that of the field. */
  readonly about?: string
  /** The first day that a date offers. */
  readonly min?: string
}

/** The control of a field in a form. */
export function FieldInput(props: Props) {
  const { form, field, isFirst = false, isDisabled = false, about = field.about } = props
  const input = {
    label: field.label,
    ...(about !== undefined && { description: about }),
    ...(isFirst && { 'data-autofocus': true }),
    ...(isDisabled && { disabled: true }),
    ...(field.isRequired && { required: true }),
    ...form.getInputProps(field.name),
  }
  return controls[field.kind]({ ...props, input })
}

interface ControlProps extends Props {
  readonly input: GetInputPropsReturnType & { readonly label: string }
}

const controls: Readonly<Record<DescribedField['kind'], (props: ControlProps) => ReactNode>> = {
  line: ({ field, input }) => (
    <TextInput {...input} {...lengthOf(field)} {...('attributes' in field && field.attributes)} />
  ),
  text: ({ field, input, minRows = 3 }) => (
    <Textarea {...input} {...lengthOf(field)} autosize minRows={minRows} maxRows={12} />
  ),
  choice: ({ field, input, offered = choicesOf(field) }) => (
    <NativeSelect {...input} data={[...offered]} />
  ),
  date: ({ input, min }) => (
    <TextInput {...input} type="date" {...(min !== undefined && { min })} />
  ),
  person: ({ input }) => (
    <PersonPicker {...input} value={input.value || null} onChange={input.onChange} />
  ),
  tags: ({ form, field, input }) => (
    <TagsInput
      {...input}
      error={errorOf(form, field.name)}
      splitChars={[',', ' ']}
      maxTags={50}
      maxLength={50}
    />
  ),
}

const lengthOf = ({ maxLength }: DescribedField) => (maxLength === undefined ? {} : { maxLength })

/** The API reports an invalid tag by its index, as `tags.0`. */
const errorOf = ({ errors }: FieldForm, name: string) =>
  Object.entries(errors).find(([path]) => path === name || path.startsWith(`${name}.`))?.[1]
