import { Alert, Button, Group, Stack, Switch, Table, Text } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'

import { Section } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

import { type CellGroup, groupCells } from './cells/groups.ts'
import { convertAt, type Corrections, placeOf, type Plan, type WrongCell } from './cells/plan.ts'
import { FixRow } from './fix-row.tsx'

import classes from './import.module.css'

interface Props {
  readonly plan: Plan
  readonly wrong: readonly WrongCell[]
  readonly corrections: Corrections
  readonly correct: (cells: readonly WrongCell[], text: string) => void
  readonly onBack: () => void
  readonly onNext: () => void
}

const shownMax = 100

/** Whether the correction of the cell can be imported. */
const isCorrected = (plan: Plan, corrections: Corrections) => (cell: WrongCell) => {
  const text = corrections.get(placeOf(cell))
  return text !== undefined && convertAt(plan, cell, text)?.fault === null
}

/** Lists the cells that cannot be imported, and takes their corrections. */
export function FixStep({ plan, wrong, corrections, correct, onBack, onNext }: Props) {
  const [areTogether, setTogether] = useState(true)
  const groups = groupCells(wrong, areTogether)
  const left = wrong.filter((cell) => !isCorrected(plan, corrections)(cell))
  const rowsLeft = new Set(left.map(({ row }) => row)).size
  const more = groups.length - shownMax
  return (
    <Section title={t('import.fixing')}>
      <Stack>
        <Group justify="space-between">
          <Text role="status" fw={600}>
            {left.length === 0
              ? t('import.fixing.done')
              : t('import.fixing.left', { count: left.length })}
          </Text>
          <Switch
            checked={areTogether}
            onChange={({ currentTarget }) => setTogether(currentTarget.checked)}
            label={t('import.fixing.together')}
          />
        </Group>
        <MismatchNotice plan={plan} wrong={wrong} />
        <FixTable groups={groups.slice(0, shownMax)} {...{ plan, corrections, correct }} />
        {more > 0 && <Text size="sm">{t('import.fixing.more', { count: more })}</Text>}
        <Group>
          <Button variant="filled" onClick={onNext} disabled={rowsLeft === plan.sheet.rows.length}>
            {rowsLeft === 0
              ? t('import.fixing.next')
              : t('import.fixing.next.without', {
                  count: plan.sheet.rows.length - rowsLeft,
                  left: rowsLeft,
                })}
          </Button>
          <Button variant="default" onClick={onBack}>
            {t('import.back')}
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}

/** A column with mostly wrong cells is probably another one. */
function MismatchNotice({ plan: { sheet }, wrong }: Pick<Props, 'plan' | 'wrong'>) {
  const columns = [...Map.groupBy(wrong, ({ at }) => at)].filter(
    ([, cells]) => cells.length > sheet.rows.length / 2 && cells.length > 3,
  )
  if (columns.length === 0) return null
  return (
    <Alert color="yellow" variant="light" role="note">
      {t('import.fixing.mismatch', {
        columns: columns.map(([at]) => sheet.columns[at] ?? '').join(', '),
      })}
    </Alert>
  )
}

interface TableProps extends Pick<Props, 'plan' | 'corrections' | 'correct'> {
  readonly groups: readonly CellGroup[]
}

/** Goes to the next field that still has an error. A field with an open list takes Enter itself. */
function goOn(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget } = event
  if (event.key !== 'Enter' || !(target instanceof HTMLInputElement)) return
  if (target.getAttribute('aria-expanded') === 'true') return
  const fields = [...currentTarget.querySelectorAll('input')]
  const rest = fields.slice(fields.indexOf(target) + 1)
  rest.find((field) => field.getAttribute('aria-invalid') === 'true')?.focus()
}

function FixTable({ groups, plan, corrections, correct }: TableProps) {
  return (
    <Table.ScrollContainer
      type="native"
      minWidth={0}
      className={classes.scroll}
      role="region"
      aria-label={t('import.errors')}
      tabIndex={0}
      onKeyDown={goOn}
    >
      <Table aria-label={t('import.errors')} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('import.line')}</Table.Th>
            <Table.Th scope="col">{t('import.column')}</Table.Th>
            <Table.Th scope="col">{t('import.fixing.value')}</Table.Th>
            <Table.Th scope="col">{t('import.fixing.instead')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups.map((group) => (
            <FixRow key={group.key} {...{ group, plan, corrections, correct }} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
