import { Button, Text, UnstyledButton } from '@mantine/core'
import type { Assignment } from '@muster/contract'
import { useState } from 'react'

import { IconChevronDown } from '#kit/icons/index.tsx'
import { WorkGlyph } from '#kit/list/work.tsx'
import { Avatar } from '#kit/parts/person.tsx'
import { useNamesByPage } from '#kit/references/people.tsx'
import { PersonPicker } from '#kit/references/person-picker.tsx'
import { t } from '#text/index.ts'

import type { Successors } from './use-successors.ts'

import classes from './people.module.css'

/** Further lines are shown on request. */
const shownMax = 100

interface Props {
  readonly successors: Successors
  /** Shown above the lines, such as that a successor is missing. */
  readonly error: string | null
}

/** A line for each item of work, each with its own successor. */
export function HandoverLines({ successors, error }: Props) {
  const { items, chosen, chooseForAll, isComplete } = successors
  const [isLong, setLong] = useState(false)
  const users = [...new Set(chosen.values())]
  const names = useNamesByPage(users.map((id) => [id]))
  const shown = isLong ? items : items.slice(0, shownMax)
  return (
    <section aria-label={t('handover.work')}>
      <div className={classes.linesHead}>
        <h3>{t('handover.work')}</h3>
        <span>{t('handover.items', { count: items.length })}</span>
        <PersonPicker
          aria-label={t('handover.all')}
          placeholder={t('handover.all')}
          data-autofocus
          openOnFocus={false}
          value={isComplete && users.length === 1 ? (users[0] ?? null) : null}
          onChange={chooseForAll}
        />
      </div>
      {error !== null && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
      <ul>
        {shown.map((item) => (
          <Line key={item.id} item={item} successors={successors} names={names} />
        ))}
      </ul>
      {shown.length < items.length && (
        <Button variant="subtle" onClick={() => setLong(true)}>
          {t('list.more')}
        </Button>
      )}
    </section>
  )
}

interface LineProps {
  readonly item: Assignment
  readonly successors: Successors
  readonly names: ReadonlyMap<string, string>
}

function Line({ item, successors, names }: LineProps) {
  const { chosen, choose, errorOf } = successors
  const error = errorOf(item)
  return (
    <li className={classes.line}>
      <span>
        <WorkGlyph item={item} />
      </span>
      <span className={classes.ref}>{item.ref}</span>
      <span className="cut" title={item.title}>
        {item.title}
      </span>
      <Successor
        label={t('handover.successor', { ref: item.ref })}
        userId={chosen.get(item.id) ?? null}
        names={names}
        onChange={(userId) => choose(item, userId)}
      />
      {error !== undefined && (
        <Text size="sm" c="red" role="alert" className={classes.lineError ?? ''}>
          {error}
        </Text>
      )}
    </li>
  )
}

interface SuccessorProps {
  readonly label: string
  readonly userId: string | null
  readonly names: ReadonlyMap<string, string>
  readonly onChange: (userId: string | null) => void
}

const focus = (input: HTMLInputElement | null) => input?.focus()

/** A button that becomes the picker when it is pressed: a picker for each line would be slow. */
function Successor({ label, userId, names, onChange }: SuccessorProps) {
  const [isOpen, setOpen] = useState(false)
  const name = userId === null ? null : (names.get(userId) ?? '…')
  if (isOpen)
    return (
      <PersonPicker
        aria-label={label}
        ref={focus}
        value={userId}
        onChange={(id) => {
          onChange(id)
          setOpen(false)
        }}
        onBlur={() => setOpen(false)}
      />
    )
  return (
    <UnstyledButton
      className={classes.successor}
      aria-label={`${label}: ${name ?? t('handover.choose')}`}
      onClick={() => setOpen(true)}
    >
      <Avatar name={name} />
      <span className="cut">{name ?? t('handover.choose')}</span>
      <IconChevronDown size={14} />
    </UnstyledButton>
  )
}
