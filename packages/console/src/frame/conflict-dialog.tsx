import { Button, Group, Modal, ScrollArea, Stack, Table, Text } from '@mantine/core'
import type { HistoryEntry } from '@muster/contract'

import { useUnseenChanges } from '#data/change/conflict-history.ts'
import { type Conflict, conflictingFields } from '#data/change/conflict.ts'
import { actorName } from '#kit/record/activity.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { formatAge } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { fieldLabel } from '#text/labels.ts'
import { formatValue, type Names, nounOfId, userIdsIn } from '#text/values.ts'

interface Props {
  readonly conflict: Conflict
  /** True: overwrite; false: keep the other change. */
  readonly onChoose: (isOverwrite: boolean) => void
}

export function ConflictDialog(props: Props) {
  return (
    <Modal
      opened
      onClose={() => props.onChoose(false)}
      title={t('conflict.title')}
      size="lg"
      zIndex={400}
    >
      <Differences {...props} />
    </Modal>
  )
}

function Differences({ conflict, onChoose }: Props) {
  const { base, theirs, mine } = conflict
  const names = usePersonNames(userIdsIn([base, theirs, mine]))
  const changes = useUnseenChanges(conflict)
  const rows = [...differences(conflict, names), ...notes(conflict, changes)]
  return (
    <Stack>
      <Text size="sm">
        {whoAndWhen(theirs, changes)} {t('conflict.about')}
      </Text>
      <ScrollArea>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('conflict.field')}</Table.Th>
              <Table.Th scope="col">{t('conflict.seen')}</Table.Th>
              <Table.Th scope="col">{t('conflict.now')}</Table.Th>
              <Table.Th scope="col">{t('conflict.mine')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ label, ...values }) => (
              <Table.Tr key={label}>
                <Table.Th scope="row">{label}</Table.Th>
                <Table.Td className="wrap">{values.base}</Table.Td>
                <Table.Td className="wrap">{values.theirs}</Table.Td>
                <Table.Td className="wrap">{values.mine}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => onChoose(false)}>
          {t('conflict.leave')}
        </Button>
        <Button variant="filled" onClick={() => onChoose(true)}>
          {t('conflict.overwrite')}
        </Button>
      </Group>
    </Stack>
  )
}

type Fields = Readonly<Record<string, unknown>>

const textOf = (resource: object, field: string) => {
  const value = (resource as Fields)[field]
  return typeof value === 'string' ? value : ''
}

/** The conflicting fields in the three versions. */
function differences(conflict: Conflict, names: Names) {
  const { base, theirs, mine } = conflict
  const noun = nounOfId(textOf(theirs, 'id'))
  const format = (resource: object, field: string) =>
    formatValue((resource as Fields)[field], { noun, field, names })
  return conflictingFields(conflict).map((field) => ({
    label: fieldLabel(field),
    base: format(base, field),
    theirs: format(theirs, field),
    mine: field in mine ? format(mine, field) : '',
  }))
}

/** The notes on both changes. Saving keeps both in the history. */
function notes({ note }: Conflict, changes: readonly HistoryEntry[]) {
  const theirs = changes.flatMap((change) => change.note ?? []).join('\n')
  if (theirs === '' && note === null) return []
  return [{ label: t('conflict.note'), base: '', theirs, mine: note ?? '' }]
}

/** “Last changed by Mara Lindqvist, 2 minutes ago.” */
function whoAndWhen(theirs: object, changes: readonly HistoryEntry[]): string {
  const last = changes.at(-1)
  if (last)
    return t('conflict.who', { name: actorName(last.actor), when: formatAge(last.occurred_at) })
  const at = textOf(theirs, 'updated_at')
  return at === '' ? '' : t('conflict.when', { when: formatAge(at) })
}
