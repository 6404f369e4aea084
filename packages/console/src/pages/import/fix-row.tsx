import { Autocomplete, Table, Text } from '@mantine/core'
import { useMemo } from 'react'

import { scrollableDropdown } from '#kit/references/scrollable-dropdown.ts'
import { formatNumber, t } from '#text/index.ts'

import { offeredFor } from './cells/convert.ts'
import type { CellGroup } from './cells/groups.ts'
import { convertAt, type Corrections, placeOf, type Plan, type WrongCell } from './cells/plan.ts'

import classes from './import.module.css'

interface Props {
  readonly group: CellGroup
  readonly plan: Plan
  readonly corrections: Corrections
  readonly correct: (cells: readonly WrongCell[], text: string) => void
}

const offeredMax = 20
const linesMax = 3

/** A wrong value, where it is, and the value to import instead. */
export function FixRow({ group: { cells }, plan, corrections, correct }: Props) {
  const [first] = cells
  const column = plan.sheet.columns[first.at] ?? ''
  const text = corrections.get(placeOf(first)) ?? first.text
  const fault = convertAt(plan, first, text)?.fault ?? null
  const { directory } = plan
  const offered = useMemo(
    () => [...new Set(offeredFor(first.field, { directory, order: 'day-first' }))],
    [first.field, directory],
  )
  return (
    <Table.Tr>
      <Table.Td className="number">{linesText(plan, cells)}</Table.Td>
      <Table.Th scope="row" className={classes.cell}>
        {column}
      </Table.Th>
      <Table.Td className={classes.cell}>
        {first.text === '' ? t('value.none') : first.text}
      </Table.Td>
      <Table.Td>
        <Autocomplete
          {...scrollableDropdown}
          aria-label={t('import.fixing.field', { column, value: first.text })}
          value={text}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={(value) => correct(cells, value)}
          data={offered}
          limit={offeredMax}
          error={fault === null ? null : t(`import.cell.${fault}`)}
          miw={220}
          maw={420}
        />
        {fault === null && (
          <Text size="sm" className={classes.fixed}>
            {t('import.fixing.fixed', { count: cells.length })}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function linesText({ sheet }: Plan, cells: readonly WrongCell[]): string {
  const lines = cells.map(({ row }) => formatNumber(sheet.rows[row]?.line ?? 0))
  const more = lines.length - linesMax
  const shown = lines.slice(0, linesMax).join(', ')
  return more > 0 ? t('import.fixing.lines', { lines: shown, count: more }) : shown
}
