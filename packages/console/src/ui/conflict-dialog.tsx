import { Button, Group, Modal, ScrollArea, Stack, Table, Text } from '@mantine/core'

import { t } from '#text/index.ts'
import { fieldLabel } from '#text/labels.ts'
import { isOwnField, type Names, nounOfId, tell, userIdsIn } from '#text/values.ts'

import type { Conflict, Question } from './conflict.ts'
import { usePeople } from './people.tsx'

export function ConflictDialog({ question }: { readonly question: Question }) {
  return (
    <Modal
      opened
      onClose={() => question.answer(false)}
      title={t('conflict.title')}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
      size="lg"
      zIndex={400}
    >
      <Differences {...question} />
    </Modal>
  )
}

function Differences({ seen, now, wanted, answer }: Question) {
  const names = usePeople(userIdsIn([seen, now, wanted]))
  const rows = differences({ seen, now, wanted }, names)
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
                <Table.Td className="wrap">{values.seen}</Table.Td>
                <Table.Td className="wrap">{values.now}</Table.Td>
                <Table.Td className="wrap">{values.mine}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => answer(false)}>
          {t('conflict.leave')}
        </Button>
        <Button onClick={() => answer(true)}>{t('conflict.overwrite')}</Button>
      </Group>
    </Stack>
  )
}

type Fields = Readonly<Record<string, unknown>>

/** What differs, or is wanted otherwise. */
function differences({ seen, now, wanted }: Conflict, names: Names) {
  const [before, after, mine] = [seen, now, wanted].map((each) => ({ ...each })) as [
    Fields,
    Fields,
    Fields,
  ]
  const noun = nounOfId(typeof after['id'] === 'string' ? after['id'] : '')
  const told = (fields: Fields, field: string) => tell(fields[field], { noun, field, names })
  return Object.keys({ ...before, ...after })
    .filter((field) => !isOwnField(field))
    .filter((field) => told(before, field) !== told(after, field) || field in mine)
    .map((field) => ({
      field,
      seen: told(before, field),
      now: told(after, field),
      mine: field in mine ? told(mine, field) : '',
    }))
}
