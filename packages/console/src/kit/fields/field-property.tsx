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
import { useRecordMark } from '#kit/record/record-mark.ts'
import { PersonById } from '#kit/references/people.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { choicesOf, type DescribedField } from './field.ts'

interface Props {
  readonly field: DescribedField
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
      isChanged={useRecordMark()?.has(field.name) ?? false}
      reason={reason}
      {...(field.shortcut !== undefined && { shortcut: field.shortcut })}
      edit={(close) => editors[field.kind]({ ...props, value, save, close })}
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

/** The editor of each kind. A value is null or of the type of its field. */
const editors: Readonly<Record<DescribedField['kind'], (props: EditorProps) => ReactNode>> = {
  choice: ({ field, value, save, offered = choicesOf(field), ...props }) => (
    <ChoiceEditor {...editor(field, props)} value={textOf(value)} choices={offered} onSave={save} />
  ),
  person: ({ field, value, save, ...props }) => (
    <PersonEditor {...editor(field, props)} value={textOf(value) || null} onSave={save} />
  ),
  date: ({ field, value, save, suggested, intervals, ...props }) => (
    <DateEditor
      {...editor(field, props)}
      value={textOf(value) || null}
      {...(suggested !== undefined && { suggested })}
      {...(intervals && { intervals })}
      onSave={save}
    />
  ),
  tags: ({ field, value, save, ...props }) => (
    <TagsEditor
      {...editor(field, props)}
      value={tagsOf(value)}
      onSave={(tags) => save([...new Set(tags)].toSorted())}
    />
  ),
  line: (props) => <LineEditor {...props} />,
  text: (props) => <LineEditor {...props} />,
}

const editor = ({ label: name }: DescribedField, { close }: Pick<EditorProps, 'close'>) => ({
  label: name,
  close,
})

const LineEditor = ({ field, value, save, ...props }: EditorProps) => (
  <TextEditor
    {...editor(field, props)}
    value={textOf(value)}
    maxLength={field.maxLength ?? Number.POSITIVE_INFINITY}
    isLong={field.kind === 'text'}
    onSave={(next) => save(next.trim() || null)}
  />
)

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const tagsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : []

type ShownProps = Pick<Props, 'field' | 'isDone'> & { readonly value: unknown }

/** The value of a field by its kind. */
function Shown({ field, value, isDone = false }: ShownProps) {
  const text = textOf(value)
  if (field.kind === 'date') return <Day field={field} day={text || null} isDone={isDone} />
  const missing = field.missing ?? t('value.none')
  if (field.kind === 'person') return <PersonById userId={text || null} missing={missing} />
  if (field.kind === 'tags' && tagsOf(value).length > 0) return <Tags tags={tagsOf(value)} />
  if (text === '') return missing
  if (field.kind !== 'choice') return text
  return field.isStatus ? <StatusName set={field.set} status={text} /> : label(field.set, text)
}

interface DayProps {
  readonly field: DescribedField
  readonly day: string | null
  readonly isDone: boolean
}

const Day = ({ field: { missing }, ...props }: DayProps) => (
  <When {...props} {...(missing !== undefined && { missing })} />
)
