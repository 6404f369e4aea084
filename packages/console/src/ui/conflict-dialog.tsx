import { Button, Group, Modal, ScrollArea, Stack, Table, Text } from '@mantine/core'

import { t } from '#text/index.ts'
import { fieldLabel } from '#text/labels.ts'
import { formatValue, isOwnField, type Names, nounOfId, userIdsIn } from '#text/values.ts'

import type { Conflict } from './conflict.ts'
import { usePersonNames } from './people.tsx'

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
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
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
  const rows = differences(conflict, names)
  return (
    <Stack>
      <Text size="sm">{t('conflict.about')}</Text>
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
            {rows.map(({ field, ...values }) => (
              <Table.Tr key={field}>
                <Table.Th scope="row">{fieldLabel(field)}</Table.Th>
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

/** The fields that the two versions or the user's change differ in. */
function differences(conflict: Conflict, names: Names) {
  const [base, theirs, mine] = [conflict.base, conflict.theirs, conflict.mine].map((each) => ({
    ...each,
  })) as [Fields, Fields, Fields]
  const noun = nounOfId(typeof theirs['id'] === 'string' ? theirs['id'] : '')
  const format = (fields: Fields, field: string) =>
    formatValue(fields[field], { noun, field, names })
  return Object.keys({ ...base, ...theirs })
    .filter((field) => !isOwnField(field))
    .filter((field) => format(base, field) !== format(theirs, field) || field in mine)
    .map((field) => ({
      field,
      base: format(base, field),
      theirs: format(theirs, field),
      mine: field in mine ? format(mine, field) : '',
    }))
}
