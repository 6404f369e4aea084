import { Stack, Table as Sheet, Text, Title } from '@mantine/core'

import { formatNumber, t } from '#text/index.ts'

import type { Table } from './csv.ts'
import { type Rehearsal, shownMost } from './rehearse.ts'

import classes from './import.module.css'

interface Props {
  readonly table: Table
  readonly rehearsal: Rehearsal
}

/** How much would be made of it, and the first rows as they were read. */
export function Preview({ table, rehearsal }: Props) {
  const { counts } = rehearsal
  const more = table.rows.length - shownMost
  return (
    <Stack>
      <dl className={classes.counts}>
        <Count name={t('import.count.new')} count={counts.created} />
        <Count name={t('import.count.changed')} count={counts.changed} />
        <Count name={t('import.count.unchanged')} count={counts.unchanged} />
      </dl>
      <Title order={3} size="h5">
        {t('import.sample')}
      </Title>
      <Sample table={table} rehearsal={rehearsal} />
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {t('import.more', { count: more })}
        </Text>
      )}
    </Stack>
  )
}

function Count({ name, count }: { readonly name: string; readonly count: number }) {
  return (
    <div>
      <Text component="dt" size="sm">
        {name}
      </Text>
      <dd>{formatNumber(count)}</dd>
    </div>
  )
}

/** An export has many columns, so they are scrolled sideways, also by keyboard. */
function Sample({ table: { header, rows }, rehearsal: { fates } }: Props) {
  return (
    // What scrolls must be within reach of the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.scroll} role="region" aria-label={t('import.sample')} tabIndex={0}>
      <Sheet aria-label={t('import.sample')}>
        <Sheet.Thead>
          <Sheet.Tr>
            <Sheet.Th scope="col">{t('import.line')}</Sheet.Th>
            <Sheet.Th scope="col">{t('import.fate')}</Sheet.Th>
            {header.cells.map((column) => (
              <Sheet.Th key={column} scope="col">
                {column}
              </Sheet.Th>
            ))}
          </Sheet.Tr>
        </Sheet.Thead>
        <Sheet.Tbody>
          {rows.slice(0, shownMost).map(({ line, cells }, index) => (
            <Sheet.Tr key={line}>
              <Sheet.Td className="number">{formatNumber(line)}</Sheet.Td>
              <Sheet.Td>{t(`import.fate.${fates[index] ?? 'new'}`)}</Sheet.Td>
              {header.cells.map((column, at) => (
                <Sheet.Td key={column}>
                  <Text size="sm" lineClamp={3} className={classes.cell}>
                    {cells[at]}
                  </Text>
                </Sheet.Td>
              ))}
            </Sheet.Tr>
          ))}
        </Sheet.Tbody>
      </Sheet>
    </div>
  )
}
