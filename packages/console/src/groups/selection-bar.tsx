import { Button, Checkbox, Group as Row, Text } from '@mantine/core'
import type { Person } from '@muster/contract'

import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'

/** The API's limit of members per request. */
const removeMax = 1000

interface Props {
  /** The members that are loaded. */
  readonly people: readonly Person[]
  readonly chosen: readonly Person[]
  readonly total: number | null
  readonly reason: string | null
  readonly onSelect: (ids: readonly string[]) => void
  readonly onRemove: () => void
}

/** The number of selected members and the bulk actions. */
export function SelectionBar({ people, chosen, total, reason, onSelect, onRemove }: Props) {
  const count = people.length
  const isAll = count > 0 && chosen.length === count
  const label = count === total ? 'members.select-all' : 'members.select-loaded'
  return (
    <Row justify="space-between" my="sm" gap="xs" className="no-print">
      <Checkbox
        size="md"
        label={t(label, { count })}
        checked={isAll}
        indeterminate={chosen.length > 0 && !isAll}
        disabled={count === 0}
        onChange={() => onSelect(isAll ? [] : people.map(({ id }) => id))}
      />
      <Row gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {t(chosen.length > 0 ? 'members.selected' : 'members.count', {
            count: chosen.length > 0 ? chosen.length : (total ?? count),
          })}
        </Text>
        {chosen.length > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={() => onSelect([])}>
            {t('members.select-none')}
          </Button>
        )}
        <ActionButton
          variant="default"
          size="compact-sm"
          reason={reason ?? removeReason(chosen.length)}
          onClick={onRemove}
        >
          {t('members.remove-selected')}
        </ActionButton>
      </Row>
    </Row>
  )
}

function removeReason(count: number): string | null {
  if (count === 0) return t('members.nothing-selected')
  return count > removeMax ? t('members.too-many', { max: removeMax }) : null
}
