import type { ReactNode } from 'react'

import { Tags } from '#kit/parts/flags.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import {
  ChoiceEditor,
  DateEditor,
  EditableProperty,
  PersonEditor,
  TagsEditor,
  TextEditor,
} from '#kit/record/property.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { t } from '#text/index.ts'
import { choices, label } from '#text/labels.ts'

import type { Field } from './field.ts'

interface Props {
  readonly field: Field
  /** The resource. */
  readonly of: object
  /** Why the property cannot be changed; null if it can. */
  readonly reason: string | null
  /** Sends the changed field. Resolves when it was sent, also after a failure. */
  readonly onSave: (changes: never) => Promise<unknown>
  /** The values that a choice offers, if not all of the set. */
  readonly offered?: readonly { readonly value: string; readonly label: string }[]
  /** The day that an empty date suggests. */
  readonly suggested?: string
  /** Days from today that a button sets. */
  readonly intervals?: readonly number[]
  /** Whether the resource is closed: a past day is not late. */
  readonly isDone?: boolean
  /** The value as it is shown, if not by its kind. */
  readonly children?: ReactNode
}

/** A field as a property of a record. Its editor saves at once. */
export function FieldProperty(props: Props) {
  const { field, of, reason, onSave } = props
  const { [field.name]: value }: Record<string, unknown> = { ...of }
  const save = (next: unknown) =>
    // The cast holds because each kind of field has an editor for the values of its type.
    onSave({ [field.name]: next } as never)
  return (
    <EditableProperty
      name={field.label}
      reason={reason}
      {...(field.shortcut !== undefined && { shortcut: field.shortcut })}
      edit={(close) => <Editor {...props} value={value} save={save} close={close} />}
    >
      {props.children ?? <Shown {...props} value={value} />}
    </EditableProperty>
  )
}

interface EditorProps extends Omit<Props, 'onSave'> {
  readonly value: unknown
  readonly save: (value: unknown) => Promise<unknown>
  readonly close: () => void
}

function Editor({ field, value, save, close, ...props }: EditorProps) {
  const editor = { label: field.label, close }
  const text = typeof value === 'string' ? value : null
  switch (field.kind) {
    case 'choice':
      return (
        <ChoiceEditor
          {...editor}
          value={text ?? ''}
          choices={props.offered ?? choices(field.set)}
          onSave={save}
        />
      )
    case 'person':
      return <PersonEditor {...editor} value={text} onSave={save} />
    case 'date':
      return (
        <DateEditor
          {...editor}
          value={text}
          {...(props.suggested !== undefined && { suggested: props.suggested })}
          {...(props.intervals && { intervals: props.intervals })}
          onSave={save}
        />
      )
    case 'tags':
      return (
        <TagsEditor
          {...editor}
          value={tagsOf(value)}
          onSave={(tags) => save([...new Set(tags)].toSorted())}
        />
      )
    case 'line':
    case 'text':
      return (
        <TextEditor
          {...editor}
          value={text ?? ''}
          maxLength={field.maxLength ?? Number.POSITIVE_INFINITY}
          isLong={field.kind === 'text'}
          onSave={(next) => save(next.trim() || null)}
        />
      )
  }
}

const tagsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : []

type ShownProps = Pick<Props, 'field' | 'isDone'> & { readonly value: unknown }

/** The value of a field by its kind. */
function Shown({ field, value, isDone = false }: ShownProps) {
  const text = typeof value === 'string' ? value : null
  const missing = field.missing ?? t('value.none')
  switch (field.kind) {
    case 'choice':
      if (text === null) return missing
      return field.isStatus ? <StatusName set={field.set} status={text} /> : label(field.set, text)
    case 'person':
      return <PersonById userId={text} missing={missing} />
    case 'date':
      return (
        <When
          day={text}
          isDone={isDone}
          {...(field.missing !== undefined && { missing: field.missing })}
        />
      )
    case 'tags':
      return tagsOf(value).length === 0 ? missing : <Tags tags={tagsOf(value)} />
    case 'line':
    case 'text':
      return text ?? missing
  }
}
