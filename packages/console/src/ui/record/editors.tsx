import { Button, Group, Stack, TagsInput, Textarea, TextInput, UnstyledButton } from '@mantine/core'
import { useState } from 'react'

import { daysFromToday } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { IconCheck } from '#ui/icons/index.tsx'
import { PersonPicker } from '#ui/person-picker.tsx'

import classes from './editors.module.css'

/** Every editor saves a new value and closes. The mutation reports errors and offers undo. */
export interface EditorProps<V> {
  readonly label: string
  readonly value: V
  readonly onSave: (value: V) => Promise<unknown> | void
  readonly close: () => void
}

export interface ChoiceEditorProps extends EditorProps<string> {
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
  return (
    <Stack gap="sm" align="flex-start">
      <PersonPicker
        label={label}
        value={value}
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

export function DateEditor({ label, value, onSave, close }: EditorProps<string | null>) {
  const [day, setDay] = useState(value ?? '')
  const save = (next: string) => {
    close()
    if (next !== (value ?? '')) void onSave(next === '' ? null : next)
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
          {[7, 30, 90].map((days) => (
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
          {t('editor.save')}
        </Button>
      </Stack>
    </form>
  )
}

export function TagsEditor({ label, value, onSave, close }: EditorProps<readonly string[]>) {
  const [tags, setTags] = useState([...value])
  return (
    <Stack gap="sm">
      <TagsInput
        label={label}
        value={tags}
        onChange={setTags}
        data-autofocus
        splitChars={[',', ' ']}
      />
      <Button
        variant="filled"
        onClick={() => {
          close()
          if (tags.join(' ') !== value.join(' ')) void onSave(tags)
        }}
      >
        {t('editor.save')}
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
  const [text, setText] = useState(value)
  const Field = isLong ? Textarea : TextInput
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        close()
        if (text !== value) void onSave(text)
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
          {t('editor.save')}
        </Button>
      </Stack>
    </form>
  )
}
