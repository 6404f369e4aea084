import { Button, Group, Modal, Stack } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import type { Person } from '@muster/contract'

import { IconCircleCheck } from '#kit/icons/index.tsx'
import { useRestoreFocus } from '#kit/keyboard/restore-focus.ts'
import { Avatar } from '#kit/parts/person.tsx'
import { useNamesByPage } from '#kit/references/people.tsx'
import { formatNearDay } from '#text/due.ts'
import { t } from '#text/index.ts'

import type { HandoverLine, HandoverResult } from './actions.ts'
import { countsOf, countsText } from './assignments.ts'
import { InlinePersonLink } from './inline-person-link.tsx'

import classes from './people.module.css'

interface Props {
  readonly person: Person
  readonly result: HandoverResult
  readonly onClose: () => void
}

/** The result of a handover or departure: each successor with the work they got. */
export function ReceiptDialog({ person, result: { lines, departure }, onClose }: Props) {
  useRestoreFocus()
  const { name } = person
  const parts = Map.groupBy(lines, ({ to_user_id }) => to_user_id)
  const names = useNamesByPage([...parts.keys()].map((id) => [id]))
  const { copy, copied, error } = useClipboard({ timeout: 3000 })
  const summary = summaryOf(name, { lines, departure })
  const text = () =>
    [
      t('receipt.title', { name }),
      ...summary,
      ...[...parts].flatMap(([id, part]) => [
        '',
        names.get(id) ?? t('actor.name.person'),
        ...part.map(({ item }) => `${item.ref} ${item.title}`),
      ]),
    ].join('\n')
  return (
    <Modal opened onClose={onClose} size={600} title={t('receipt.title', { name })}>
      <Stack>
        <div className={classes.done} role="status">
          <IconCircleCheck size={16} />
          <div>
            {summary.map((line) => (
              <div key={line}>{line}</div>
            ))}
          </div>
        </div>
        {[...parts].map(([id, part]) => (
          <Part key={id} userId={id} name={names.get(id) ?? null} part={part} />
        ))}
        <Group justify="flex-end" gap="sm">
          {error && <span role="alert">{t('copy.failed')}</span>}
          <Button onClick={() => copy(text())}>{t(copied ? 'copy.done' : 'receipt.copy')}</Button>
          <Button variant="filled" onClick={onClose} data-autofocus>
            {t('receipt.close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** A departure that is planned changes nothing yet. */
function summaryOf(name: string, { lines, departure }: HandoverResult): string[] {
  const planned = departure?.planned ?? null
  const handed = countsText(countsOf(lines.map(({ item }) => item)))
  const first =
    planned === null
      ? t('receipt.departed', { name })
      : t('receipt.planned', { name, day: formatNearDay(planned.departs_on) })
  const held = departure === null ? '' : countsText(departure.open_assignments)
  return [
    ...(departure ? [first] : []),
    ...(lines.length > 0
      ? [t(planned === null ? 'receipt.handed' : 'receipt.handed-then', { held: handed })]
      : []),
    ...(departure
      ? [t(planned === null ? 'receipt.left' : 'receipt.left-then', { name, held })]
      : []),
  ]
}

interface PartProps {
  readonly userId: string
  readonly name: string | null
  readonly part: readonly HandoverLine[]
}

/** A successor may get up to 1,000 items; further ones are only counted. */
const shownMax = 20

function Part({ userId, name, part }: PartProps) {
  const rest = part.length - shownMax
  return (
    <div className={classes.part}>
      <Avatar name={name} size={24} />
      <div>
        <InlinePersonLink userId={userId} />{' '}
        <span className={classes.ref}>{t('handover.items', { count: part.length })}</span>
        <ul>
          {part.slice(0, shownMax).map(({ item }) => (
            <li key={item.id}>
              <span className={classes.ref}>{item.ref}</span> {item.title}
            </li>
          ))}
          {rest > 0 && <li className={classes.ref}>{t('receipt.more', { count: rest })}</li>}
        </ul>
      </div>
    </div>
  )
}
