import { Button, Popover } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense, useState } from 'react'

import { IconPlus } from '#kit/icons/index.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { joinGroup, type NamedPerson } from '#nouns/groups/actions.ts'
import { t } from '#text/index.ts'

const GroupPicker = lazyRouteComponent(
  () => import('#kit/references/group-picker.tsx'),
  'GroupPicker',
)

interface Props {
  readonly people: readonly NamedPerson[]
  /** Groups that are not offered. */
  readonly excluded?: readonly string[]
  readonly onDone?: () => void
  /** Why it cannot be done; null if it can. */
  readonly reason: string | null
}

/** The picker loads after the popover has taken the focus. */
const focus = (input: HTMLInputElement | null) => input?.focus()

/** A button with a picker: the chosen group gets the people at once. */
export function AddToGroup({ people, excluded = [], onDone, reason }: Props) {
  const [isOpen, setOpen] = useState(false)
  const toggle = () => setOpen(!isOpen)
  const style = { size: 'compact-sm', variant: 'subtle' } as const
  if (reason !== null)
    return (
      <ActionButton {...style} reason={reason} onClick={toggle}>
        {t('person.groups.add')}
      </ActionButton>
    )
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={260}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          {...style}
          aria-expanded={isOpen}
          leftSection={<IconPlus size={14} />}
          onClick={toggle}
        >
          {t('person.groups.add')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('person.groups.add')}>
        <Suspense>
          {isOpen && (
            <GroupPicker
              label={t('word.group')}
              value={null}
              excluded={excluded}
              ref={focus}
              comboboxProps={{ withinPortal: false }}
              onChange={(id) => {
                setOpen(false)
                if (id !== null) void joinGroup(id, people)
                onDone?.()
              }}
            />
          )}
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
