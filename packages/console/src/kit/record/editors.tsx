import { Button, Group, Stack, TagsInput, Textarea, TextInput, UnstyledButton } from '@mantine/core'

import { keepWhileSaving, openProperty, useKeptState } from '#kit/form/draft.ts'
import { IconCheck } from '#kit/icons/index.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { PersonPicker } from '#kit/references/person-picker.tsx'
import { daysFromToday } from '#text/dates.ts'
import { t } from '#text/index.ts'

import classes from './editors.module.css'

/** Every editor saves a new value and closes. The mutation reports errors and offers undo. */
export interface EditorProps<V> {
  readonly label: string
  readonly value: V
  /** Resolves when the change was sent, also after a failure. */
  readonly onSave: (value: V) => Promise<unknown>
  readonly close: () => void
}

/** The parts of a draft: the text of the editor, and that its property is open. */
const textOf = (label: string) => `editor/${label}`
const kept = (label: string, text: unknown) => ({
  [textOf(label)]: text,
  [openProperty(label)]: true,
})

export interface ChoiceEditorProps extends Omit<EditorProps<string>, 'onSave'> {
  readonly onSave: (value: string) => Promise<unknown> | void
  readonly choices: readonly { readonly value: string; readonly label: string }[]
}

export function ChoiceEditor({ label, value, choices, onSave, close }: ChoiceEditorProps) {
  return (
    <div role="listbox" aria-label={label} className={classes.list}>
      {choices.map((choice) => (
        <UnstyledButton
          key={choice.value}
          role="option"
          aria-selected={choice.value === value}
          className={classes.option}
          data-autofocus={choice.value === value ? true : undefined}
          onClick={() => {
            close()
            if (choice.value !== value) void onSave(choice.value)
          }}
        >
          {choice.label}
          {choice.value === value && <IconCheck size={14} />}
        </UnstyledButton>
      ))}
    </div>
  )
}

export function PersonEditor({ label, value, onSave, close }: EditorProps<string | null>) {
  const save = (id: string | null) => {
    close()
    if (id !== value) void onSave(id)
  }
  const name = usePersonNames([value]).get(value ?? '')
  return (
    <Stack gap="sm" align="flex-start">
      <PersonPicker
        label={label}
        // The field starts empty, so that the first letter starts a search.
        value={null}
        {...(name !== undefined && { placeholder: name })}
        data-autofocus
        // An open list would cover the button.
        openOnFocus={false}
        w="100%"
        comboboxProps={{ withinPortal: false }}
        onChange={save}
      />
      {value !== null && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => save(null)}>
          {t('picker.clear')}
        </Button>
      )}
    </Stack>
  )
}

export interface DateEditorProps extends EditorProps<string | null> {
  /** The date that the field shows if none is set. */
  readonly suggested?: string
  /** Days from today that a button sets. */
  readonly intervals?: readonly number[]
}

export function DateEditor({
  label,
  value,
  onSave,
  close,
  suggested = '',
  intervals = [7, 30, 90],
}: DateEditorProps) {
  const [day, setDay] = useKeptState(textOf(label), value ?? suggested)
  const save = (next: string) => {
    close()
    if (next !== (value ?? ''))
      void keepWhileSaving(kept(label, next), onSave(next === '' ? null : next))
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save(day)
      }}
    >
      <Stack gap="sm">
        <TextInput
          type="date"
          label={label}
          value={day}
          data-autofocus
          onChange={({ currentTarget }) => setDay(currentTarget.value)}
        />
        <Group gap={4}>
          {intervals.map((days) => (
            <Button key={days} size="compact-sm" onClick={() => save(daysFromToday(days))}>
              {t('editor.in-days', { count: days })}
            </Button>
          ))}
          {value !== null && (
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => save('')}>
              {t('picker.clear')}
            </Button>
          )}
        </Group>
        <Button type="submit" variant="filled">
          {t('word.save')}
        </Button>
      </Stack>
    </form>
  )
}

export function TagsEditor({ label, value, onSave, close }: EditorProps<readonly string[]>) {
  const [tags, setTags] = useKeptState<readonly string[]>(textOf(label), value)
  return (
    <Stack gap="sm">
      <TagsInput
        label={label}
        value={[...tags]}
        onChange={setTags}
        data-autofocus
        splitChars={[',', ' ']}
      />
      <Button
        variant="filled"
        onClick={() => {
          close()
          if (tags.join(' ') !== value.join(' '))
            void keepWhileSaving(kept(label, tags), onSave([...tags]))
        }}
      >
        {t('word.save')}
      </Button>
    </Stack>
  )
}

export interface TextEditorProps extends EditorProps<string> {
  readonly maxLength: number
  readonly isLong?: boolean
}

export function TextEditor({
  label,
  value,
  onSave,
  close,
  maxLength,
  isLong = false,
}: TextEditorProps) {
  const [text, setText] = useKeptState(textOf(label), value)
  const Field = isLong ? Textarea : TextInput
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        close()
        if (text !== value) void keepWhileSaving(kept(label, text), onSave(text))
      }}
    >
      <Stack gap="sm">
        <Field
          label={label}
          value={text}
          maxLength={maxLength}
          data-autofocus
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" variant="filled">
          {t('word.save')}
        </Button>
      </Stack>
    </form>
  )
}
